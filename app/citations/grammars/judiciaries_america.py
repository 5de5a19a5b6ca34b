"""Name the courts of Latin America, and how their decisions are numbered."""

from __future__ import annotations

from app.citations.grammars.forms import plain
from app.citations.grammars.judiciary import ANY_COURT, NO, PLACE, Judiciary

AMERICA: tuple[Judiciary, ...] = (
    Judiciary(
        "CO",
        courts=(
            (r"Consejo\sde\sEstado", "CE"),
            (r"Corte\sSuprema\sde\sJusticia|CSJ|C\.S\.J\.", "CSJ"),
            (r"Tribunal\sSuperior\sd(?:e|el)\s[A-Z][a-z]+", "TS"),
        ),
        own=((r"C\.E\.|C\.\sde\sE\.", "CE"), (r"C\.\s?Const\.|Corte\sConst(?:itucional|\.)", "CC")),
        kinds=r"[Ss]ent(?:encias?|\.)|[Aa]utos?|[Ff]allos?",
        labels=rf"(?:exp(?:ediente|\.)?|rad(?:icado|icacion|\.)?|proceso)\s?(?:{NO})?|{NO}",
        numbers=r"\d{5}-?\d{2}-?\d{2}-?\d{3}-?(?:19|20)\d\d-?\d{5}-?\d{2}(?:\s?\(\d{3,6}\))?|"
        r"\d{4,6}",
        bare="a^",
        priority=44,
        where=("CO",),
    ),
    Judiciary(
        "CL",
        courts=(
            (r"Corte\sSuprema|CS", "CS"),
            (rf"(?:Corte\sde\sApelaciones|C\.A\.|ICA)\s(?:de\s)?(?:{PLACE})", "CA"),
            (r"Tribunal\sConstitucional|STC|TC", "TC"),
        ),
        kinds=r"[Ss]entencias?|[Ff]allos?",
        labels=rf"(?:causa\s)?[Rr](?:ol|IT)(?:\s(?:de\s)?ingreso)?\s?(?:{NO})?|{NO}",
        numbers=r"(?:[A-Z]-)?\d{1,3}(?:\.\d{3})?\d{0,3}-(?:(?:19|20)\d\d|\d{2})(?:-\d{1,2})?(?:-INA)?",
        bare=r"(?:[A-Z]-)?\d{1,3}\.\d{3}-(?:19|20)\d\d",
        narrow=True,
        where=("CL",),
        number=lambda written, date: plain(written).upper(),
    ),
    Judiciary(
        "AR",
        courts=(
            (r"CSJN|Corte\sSuprema(?:\sde\sJusticia(?:\sde\sla\sNacion)?)?", "CSJN"),
            (
                r"CNAT|CNTrab\.|C(?:am|\.)\s?Nac\.?\s?(?:Apel\.?\s)?Trab\.?|Camara\sNacional\sde\sApelaciones"
                r"\sdel\sTrabajo",
                "CNAT",
            ),
            (
                r"CN(?:Civ|Com|ACAF|CP|AC|A)(?:\.|\b)(?:,\s[Ss]ala\s[A-Z]\b)?|C(?:am|\.)\s?Nac\.?\s?(?:Civ|"
                r"Com)\.?|"
                r"Camara\sNacional\s(?:de\sApelaciones\s)?en\slo\s[A-Z][a-z]+",
                "CN",
            ),
            (r"SCBA|SC\sBuenos\sAires|TSJ\s[A-Z][a-z]+", "SC"),
        ),
        kinds=r"[Ss]entencias?|[Ff]allos?",
        labels=rf"(?:expte|exp|S\.?\s?[DI]|sent(?:encia)?\.?\s?(?:def|int)(?:[a-z]+)?)\.?\s?(?:{NO})?|{NO}",
        numbers=r"(?:[A-Z]{2,4}\s)?\d{1,6}/(?:19|20)\d\d(?:/\d)?|\d{2,3}\.?\d{3}",
        bare=r"(?:[A-Z]{2,4}\s)\d{1,6}/(?:19|20)\d\d(?:/\d)?",
        where=("AR",),
    ),
    Judiciary(
        "PE",
        courts=(
            (r"STC|Tribunal\sConstitucional|TC", "TC"),
            (r"Cas(?:acion|\.)\s?(?:Lab(?:oral|\.))?|Corte\sSuprema", "CS"),
            (r"[IVX]{1,4}\sPleno\sCasatorio\s(?:Civil|Laboral)", "CS"),
            (r"Acuerdo\sPlenario", "CS"),
            (r"Resolucion\sde\s(?:Sala\sPlena|Superintendencia)", "RES"),
        ),
        kinds=r"[Ss]entencias?|[Ee]jecutoria",
        labels=rf"(?:exp(?:ediente|te|\.)?)\.?\s?(?:{NO})?|{NO}",
        numbers=r"\d{1,6}-(?:19|20)\d\d(?:-[A-Z]{1,4})?(?:[/-](?:TC|CIJ-\d{2,4}))?(?:[-\s][A-Z][a-z]{3,14})?|"
        r"\d{1,3}-(?:19|20)\d\d/CIJ-\d{2,4}",
        bare=r"\d{3,6}-(?:19|20)\d\d-[A-Z]{2,4}(?:/TC)?",
        priority=44,
        where=("PE",),
    ),
    Judiciary(
        "MX",
        courts=(
            (
                r"SCJN|Suprema\sCorte(?:\sde\sJusticia(?:\sde\sla\sNacion)?)?|Primera\sSala|Segunda\sSala",
                "SCJN",
            ),
            (r"TFJA|Tribunal\sFederal\sde\sJusticia\sAdministrativa", "TFJA"),
            (r"TEPJF", "TEPJF"),
        ),
        kinds=r"[Tt]esis(?:\sde\s[Jj]urisprudencia)?(?:\saislada)?|[Jj]urisprudencia|[Ss]entencias?",
        labels=rf"(?:expediente|exp\.)\s?(?:{NO})?|{NO}",
        numbers=r"(?:[12]a|P|PC|[IVX]{1,6})\.(?:/J\.)?\s?[CLXVI\d]{1,9}/\d{2,4}(?:\s\(\d{1,2}a\.\))?|"
        r"SUP-[A-Z]{2,4}-\d{1,4}/\d{4}",
        bare=r"(?:[12]a|P)\.(?:/J\.)?\s?[CLXVI]{1,9}/\d{2,4}(?:\s\(\d{1,2}a\.\))?|"
        r"SUP-[A-Z]{2,4}-\d{1,4}/\d{4}",
        strong=r"(?:[12]a|P)\.(?:/J\.)?\s?[CLXVI]{1,9}/\d{2,4}(?:\s\(\d{1,2}a\.\))?|"
        r"SUP-[A-Z]{2,4}-\d{1,4}/\d{4}",
        where=("MX",),
    ),
    Judiciary(
        "BR",
        courts=(
            (r"STF", "STF"),
            (r"STJ", "STJ"),
            (r"TST", "TST"),
            (r"T[JR]-?[A-Z]{2}", "TJ"),
            (r"TRT(?:-\d{1,2}|\sda\s\d{1,2}ª\sRegiao)?", "TRT"),
            (r"TRF-?\d?", "TRF"),
            (r"Supremo\sTribunal\sFederal", "STF"),
            (r"Superior\sTribunal\sde\sJustica", "STJ"),
            (r"Tribunal\sSuperior\sdo\sTrabalho", "TST"),
            (r"[Ss]umulas?\s[Vv]inculantes?|SV", "STF"),
            (r"[Ss]umulas?", ANY_COURT),
            (r"TSE", "TSE"),
        ),
        kinds=r"(?:OJ|Orientacao\sJurisprudencial)|Temas?(?:\s[Rr]epetitivos?)?|Enunciado|Precedente|"
        r"[Aa]cordao|Apelacao(?:\sCivel)?|Agravo(?:\sde\sInstrumento)?|Ap\.?\sCiv\.?",
        labels=rf"(?:processo|proc\.)\s?(?:{NO})?|{NO}",
        numbers=(
            r"\d{7}-\d{2}\.\d{4}\.\d\.\d{2}\.\d{4}|(?:A?RR|AIRR|RR|Ag-AIRR|RO|ROT|E-RR|"
            r"RRAg)-\d{1,7}-\d{2}\.\d{4}\.\d\.\d{2}\.\d{4}|"
            r"\d{1,3}(?:\.\d{3}){1,2}(?:/[A-Z]{2})?|\d{1,4}(?:/[A-Z]{2,3}|\s?/\s?ST[FJ])?"
        ),
        bare=(
            r"\d{7}-\d{2}\.\d{4}\.\d\.\d{2}\.\d{4}|(?:A?RR|AIRR|RR|Ag-AIRR|RO|ROT|E-RR|"
            r"RRAg)-\d{1,7}-\d{2}\.\d{4}\.\d\.\d{2}\.\d{4}|"
            r"\d{1,4}(?:/ST[FJ]|/TST)?"
        ),
        strong=r"\d{1,4}(?:/ST[FJ]|/TST)",
        where=("BR",),
    ),
    Judiciary(
        "UY",
        courts=(
            (r"Suprema\sCorte\sde\sJusticia|SCJ", "SCJ"),
            (
                r"T(?:ribunal\sde\s)?A(?:pelaciones)?\s?(?:Civil|Trabajo|en\slo\s[A-Z][a-z]+|T|"
                r"C)[\w\sº.]{0,16}?Turno|TCA",
                "TA",
            ),
        ),
        kinds=r"[Ss]entencias?(?:\s[Dd]efinitivas?)?",
        labels=NO,
        numbers=r"\d{1,4}/(?:19|20)\d\d",
        bare=r"\d{1,4}/(?:19|20)\d\d",
        strong=r"\d{1,4}/(?:19|20)\d\d",  # behind "sentencia", whose court the sentence names before
        where=("UY",),
    ),
    Judiciary(
        "EC",
        courts=(
            (r"Corte\sConstitucional(?:\sdel\sEcuador)?|CCE", "CC"),
            (r"Corte\sNacional\sde\sJusticia|CNJ", "CNJ"),
        ),
        kinds=r"[Ss]entencias?|[Rr]esolucion(?:es)?|[Dd]ictamen",
        labels=NO,
        numbers=r"\d{1,4}-\d{2}-[A-Z]{2,3}/\d{2}|\d{3}-\d{2}-SEP-CC|\d{2,4}-(?:19|20)\d\d",
        bare=r"\d{1,4}-\d{2}-[A-Z]{2,3}/\d{2}|\d{3}-\d{2}-S[A-Z]{2}-CC",
        strong=r"\d{1,4}-\d{2}-[A-Z]{2,3}/\d{2}|\d{3}-\d{2}-S[A-Z]{2}-CC",
        where=("EC",),
    ),
    Judiciary(
        "BO",
        courts=(
            (
                r"Tribunal\sConstitucional(?:\sPlurinacional)?|TCP|SCP?|"
                r"Sentencia\sConstitucional(?:\sPlurinacional)?|DCP|AC",
                "TCP",
            ),
            (r"Tribunal\sSupremo(?:\sde\sJusticia)?|Auto\sSupremo|A\.S\.", "TSJ"),
        ),
        kinds=r"[Ss]entencias?|[Aa]utos?",
        labels=NO,
        numbers=r"\d{1,4}/(?:19|20)\d\d(?:-[A-Z]{1,3}\d?)?",
        bare=r"\d{1,4}/(?:19|20)\d\d(?:-[A-Z]{1,3}\d?)?",
        where=("BO",),
    ),
    Judiciary(
        "PY",
        courts=(
            (r"Corte\sSuprema\sde\sJusticia|CSJ", "CSJ"),
            (r"Acuerdo\sy\sSentencia|A\.?\s?y\s?S\.?", "AyS"),
            (rf"Tribunal\sde\sApelacion\s(?:{PLACE})", "TA"),
        ),
        kinds=r"[Ss]entencias?|A\.?I\.?",
        labels=NO,
        numbers=r"\d{1,4}(?:/(?:19|20)?\d\d)?",
        bare=r"\d{1,4}/(?:19|20)\d\d",
        where=("PY",),
    ),
    Judiciary(
        "VE",
        courts=(
            (
                r"Sala\s(?:Constitucional|Politico[\s-]Administrativa|de\sCasacion\s(?:Civil|Social|Penal)|"
                r"Plena|Electoral)|TSJ|Tribunal\sSupremo\sde\sJusticia",
                "TSJ",
            ),
        ),
        kinds=r"[Ss]entencias?|[Ff]allo",
        labels=rf"(?:exp(?:ediente|\.)?)\s?(?:{NO})?|{NO}",
        numbers=r"(?:RC\.?)?\d{1,5}(?:/(?:19|20)\d\d)?|\d{2}-\d{3,4}",
        bare=r"\d{1,5}/(?:19|20)\d\d",
        where=("VE",),
    ),
    Judiciary(
        "CR",
        courts=(
            (
                r"Sala\s(?:Constitucional|Primera|Segunda|Tercera|IV|I|II|"
                r"III)(?:\sde\sla\sCorte(?:\sSuprema\sde\sJusticia)?)?|Tribunal\sde\s[A-Z]\w+",
                "S",
            ),
        ),
        kinds=r"[Vv]otos?|[Ss]entencias?|[Rr]esolucion(?:es)?",
        labels=NO,
        numbers=r"(?:19|20)\d\d-\d{3,6}|\d{1,6}-(?:(?:19|20)\d\d|\d{2})",
        bare=r"(?:19|20)\d\d-\d{4,6}",
        strong=r"(?:19|20)\d\d-\d{4,6}",
        where=("CR",),
    ),
    Judiciary(
        "DO",
        courts=(
            (r"SCJ|Suprema\sCorte\sde\sJusticia|(?:Primera|Segunda|Tercera)\sSala|Salas\sReunidas", "SCJ"),
            (r"Tribunal\sConstitucional", "TC"),
        ),
        kinds=r"[Ss]entencias?",
        labels=NO,
        numbers=r"TC/\d{4}/\d{2}|SCJ-[A-Z]{2}-\d{2}-\d{3,5}|\d{1,4}",
        bare=r"TC/\d{4}/\d{2}|SCJ-[A-Z]{2}-\d{2}-\d{3,5}",
        strong=r"TC/\d{4}/\d{2}|SCJ-[A-Z]{2}-\d{2}-\d{3,5}",
        where=("DO",),
    ),
)
