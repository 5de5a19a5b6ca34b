"""Short papers of France, Italy and Germany: what is against the law is told, a lawful wording is not."""

from __future__ import annotations

import pytest

from app.rules import Brief, RulesEngine

FRENCH_JOB = """CONTRAT DE TRAVAIL À DURÉE INDÉTERMINÉE

Fait à Lyon, le 3 février 2026, entre la société Textiles du Rhône, employeur,
et Mme Alice Martin, salariée.
Article 1. La salariée est engagée en qualité de vendeuse, {hours} heures par semaine.
Article 2. La période d'essai est de {trial} mois.
Article 3. La rémunération mensuelle brute est de {pay} euros.
Article 4. {clause}
"""
FRENCH_LEASE = """CONTRAT DE LOCATION À USAGE D'HABITATION

Le bailleur M. Bob Durand loue au locataire un logement vide à titre de résidence principale.
Le bail est conclu pour une durée de trois ans. Le loyer mensuel est fixé à 800 euros.
Le locataire verse un dépôt de garantie de {deposit} euros.
{clause}
"""
FRENCH_SHOP = """CONDITIONS GÉNÉRALES DE VENTE de la boutique en ligne, pour tout consommateur et commande.

{clause}
Livraison sous cinq jours. Un médiateur de la consommation peut être saisi gratuitement.
"""
FRENCH_DISMISSAL = """NOTIFICATION DE LICENCIEMENT

Madame, {clause} Vous serez libre à l'issue du préavis de deux mois.
Votre solde de tout compte vous sera remis.
"""
FRENCH_LOAN = """CONTRAT DE PRÊT

Le prêteur remet à l'emprunteur la somme de 5 000 euros, avec intérêts au taux annuel de {rate} %. {clause}
"""
ITALIAN_JOB = """CONTRATTO DI LAVORO A TEMPO INDETERMINATO

Il datore di lavoro Tessuti Po S.r.l. assume la lavoratrice Alice Rossi, CCNL Commercio, livello 4.
Il periodo di prova è di {trial} mesi. L'orario di lavoro è di {hours} ore settimanali.
{clause}
"""
ITALIAN_LEASE = """CONTRATTO DI LOCAZIONE AD USO ABITATIVO

Il locatore Bob Bianchi concede al conduttore un appartamento ad uso abitativo.
La locazione avrà la durata di {years} anni. Il canone mensile è di euro 700,00.
{clause} Il contratto sarà registrato.
"""
ITALIAN_SHOP = """CONDIZIONI GENERALI DI VENDITA del negozio online per il consumatore

{clause}
Consegna in cinque giorni.
"""
ITALIAN_DISMISSAL = """LETTERA DI LICENZIAMENTO

Gentile signora, {clause} Le spetta il preavviso e il TFR. Il rapporto di lavoro cessa il 30 aprile 2026.
"""
ITALIAN_LOAN = """CONTRATTO DI MUTUO

Il mutuante consegna al mutuatario la somma di euro 5.000, con interessi al tasso annuo del {rate}%. {clause}
"""
GERMAN_JOB = """ARBEITSVERTRAG

Berlin, den 3. Februar 2026. Der Arbeitgeber Weber GmbH stellt die Arbeitnehmerin Alice Schmidt ein.
Die Probezeit beträgt {trial} Monate. Die Arbeitszeit beträgt {hours} Stunden pro Woche.
Die Kündigung bedarf der Schriftform; die Klage ist in drei Wochen zu erheben. {clause}
"""
GERMAN_LEASE = """WOHNRAUMMIETVERTRAG

Der Vermieter vermietet dem Mieter die Wohnung auf unbestimmte Zeit. Die Miete beträgt 600 Euro im Monat.
Der Mieter zahlt eine Kaution von {deposit} Euro. {clause}
"""
GERMAN_SHOP = """ALLGEMEINE GESCHÄFTSBEDINGUNGEN des Onlineshops für Verbraucher

{clause}
Lieferung in fünf Tagen nach Bestellung.
"""
GERMAN_DISMISSAL = """KÜNDIGUNG DES ARBEITSVERHÄLTNISSES

Sehr geehrte Frau Schmidt, hiermit kündigen wir Ihr Arbeitsverhältnis {clause}
Bitte melden Sie sich bei der Agentur für Arbeit.
"""
GERMAN_LOAN = """DARLEHENSVERTRAG

Der Darlehensgeber gibt dem Darlehensnehmer ein Darlehen von 5.000 Euro.
Der Zinssatz: Zinsen {rate} % jährlich.
{clause}
"""

AGAINST_THE_LAW = [
    (
        "FR",
        "laboral",
        FRENCH_JOB.format(
            hours=52, trial=10, pay=1200, clause="on ne paye pas les heures sup, amende si retard"
        ),
        {
            "fr_trial_too_long",
            "fr_weekly_hours_above_48",
            "fr_wage_below_smic",
            "fr_no_overtime_pay",
            "fr_fine_on_employee",
        },
    ),
    (
        "FR",
        "civil",
        FRENCH_LEASE.format(
            deposit=2400, clause="VISITEURS INTERDITS. Le bailleur peut visiter à tout moment."
        ),
        {"fr_deposit_excessive", "fr_guests_banned", "fr_visits"},
    ),
    (
        "FR",
        "civil",
        FRENCH_SHOP.format(clause="Articles ni repris ni échangés. Produits vendus sans garantie."),
        {"fr_withdrawal_denied", "fr_warranty_excluded"},
    ),
    (
        "FR",
        "laboral",
        FRENCH_DISMISSAL.format(
            clause="nous vous notifions votre licenciement en raison de votre grossesse, perte de confiance."
        ),
        {
            "fr_dismissal_protected",
            "fr_dismissal_without_reason",
            "fr_dismissal_no_interview",
            "fr_dl_dismissal",
        },
    ),
    (
        "FR",
        "civil",
        FRENCH_LOAN.format(rate=60, clause="Le remboursement anticipé est interdit."),
        {"fr_usury_high", "fr_no_early_repayment"},
    ),
    (
        "IT",
        "laboral",
        ITALIAN_JOB.format(
            trial=9, hours=55, clause="non si pagano gli straordinari e una settimana di ferie"
        ),
        {"it_trial_too_long", "it_weekly_hours_above_48", "it_overtime_unpaid", "it_leave_short"},
    ),
    (
        "IT",
        "civil",
        ITALIAN_LEASE.format(years="due", clause="IL LOCATORE PUÒ RECEDERE IN QUALSIASI MOMENTO."),
        {"it_term_short", "it_landlord_free_exit"},
    ),
    (
        "IT",
        "civil",
        ITALIAN_SHOP.format(clause="Nessun reso. Garanzia esclusa."),
        {"it_withdrawal_denied", "it_warranty_excluded"},
    ),
    (
        "IT",
        "laboral",
        ITALIAN_DISMISSAL.format(clause="le comunichiamo il licenziamento a causa della gravidanza."),
        {"it_dismissal_discriminatory", "it_dl_dismissal"},
    ),
    (
        "IT",
        "civil",
        ITALIAN_LOAN.format(rate=60, clause="Se non paga, la casa diventa del mutuante."),
        {"it_usury", "it_forfeiture_pact"},
    ),
    (
        "DE",
        "laboral",
        GERMAN_JOB.format(
            trial=9, hours=55, clause="Überstunden sind abgegolten. Bei Krankheit wird kein Lohn gezahlt."
        ),
        {
            "de_probation_too_long",
            "de_weekly_hours_above_48",
            "de_overtime_included",
            "de_sick_pay_denied",
        },
    ),
    (
        "DE",
        "civil",
        GERMAN_LEASE.format(deposit=3000, clause="Der Vermieter darf die Wohnung jederzeit betreten."),
        {"de_deposit_excessive", "de_access_any_time"},
    ),
    (
        "DE",
        "civil",
        GERMAN_SHOP.format(clause="KEIN UMTAUSCH. Jegliche Haftung ist ausgeschlossen."),
        {"de_withdrawal_denied", "de_liability_excluded"},
    ),
    (
        "DE",
        "laboral",
        GERMAN_DISMISSAL.format(clause="fristlos per WhatsApp, weil Sie in der Gewerkschaft sind."),
        {"de_dismissal_form", "de_dismissal_instant", "de_dismissal_protected", "de_dl_dismissal"},
    ),
    (
        "DE",
        "civil",
        GERMAN_LOAN.format(rate=48, clause="Vorzeitige Rückzahlung ist ausgeschlossen."),
        {"de_usury", "de_early_repayment_denied"},
    ),
]
LAWFUL = [
    (
        "FR",
        "laboral",
        FRENCH_JOB.format(
            hours=35, trial=2, pay=2100, clause="Les heures supplémentaires sont majorées de 25 %."
        ),
    ),
    ("FR", "civil", FRENCH_LEASE.format(deposit=800, clause="Le loyer est révisé chaque année selon l'IRL.")),
    ("FR", "civil", FRENCH_SHOP.format(clause="Vous disposez de quatorze jours pour vous rétracter.")),
    (
        "FR",
        "civil",
        FRENCH_LOAN.format(rate=3, clause="Le remboursement anticipé est possible sans frais."),
    ),
    (
        "IT",
        "laboral",
        ITALIAN_JOB.format(
            trial=2, hours=40, clause="Lo straordinario è retribuito con la maggiorazione del 15%."
        ),
    ),
    (
        "IT",
        "civil",
        ITALIAN_LEASE.format(years="quattro", clause="Il conduttore esegue la piccola manutenzione."),
    ),
    ("IT", "civil", ITALIAN_SHOP.format(clause="Il recesso è possibile entro quattordici giorni.")),
    ("IT", "civil", ITALIAN_LOAN.format(rate=4, clause="Il mutuatario può rimborsare in anticipo.")),
    (
        "DE",
        "laboral",
        GERMAN_JOB.format(trial=6, hours=40, clause="Der Urlaub beträgt 30 Arbeitstage."),
    ),
    (
        "DE",
        "civil",
        GERMAN_LEASE.format(deposit=1800, clause="Die Kaution kann in drei Raten gezahlt werden."),
    ),
    ("DE", "civil", GERMAN_SHOP.format(clause="Die Widerrufsfrist beträgt vierzehn Tage.")),
    ("DE", "civil", GERMAN_LOAN.format(rate=4, clause="Die vorzeitige Rückzahlung ist jederzeit möglich.")),
]


def _met(code: str, branch: str, text: str) -> set[str]:
    draft = RulesEngine().analyse(Brief(text, code, branch, "es"))  # type: ignore[arg-type]
    return {str(one.facts["rule"]) for one in draft.statements if "rule" in one.facts}


@pytest.mark.parametrize(("code", "branch", "text", "rules"), AGAINST_THE_LAW)
def test_what_is_against_the_law_of_the_country_is_told(
    code: str, branch: str, text: str, rules: set[str]
) -> None:
    assert _met(code, branch, text) >= rules
    assert not any(rule.startswith(f"{code.lower()}_") for rule in _met("ES", branch, text))


@pytest.mark.parametrize(("code", "branch", "text"), LAWFUL)
def test_a_lawful_wording_of_the_same_paper_stays_silent(code: str, branch: str, text: str) -> None:
    assert _met(code, branch, text) == set()
