"""Fictional documents of the kinds that people bring: every name, number and place in them is invented."""

LEASE_ES = (
    "CONTRATO DE ARRENDAMIENTO DE VIVIENDA\n"
    "\n"
    "En Madrid, a 3 de marzo de 2026\n"
    "\n"
    "REUNIDOS\n"
    "\n"
    "De una parte, D. Alberto Ruiz Montes, mayor de edad, con DNI [ES_DNI_1], con domicilio en calle "
    "Olmo 3\n"
    "(en adelante, el ARRENDADOR).\n"
    "\n"
    "Y de otra, Dña. María del Carmen Soto de la Vega, mayor de edad, con NIE [ES_NIE_1] (en adelante, "
    "la «ARRENDATARIA»).\n"
    "\n"
    "EXPONEN\n"
    "\n"
    "I.- Que el arrendador es propietario de la vivienda.\n"
    "II.- Que conforme a la Ley 29/1994, de 24 de noviembre, de Arrendamientos Urbanos, acuerdan:\n"
    "\n"
    "ESTIPULACIONES\n"
    "\n"
    "PRIMERA.- Objeto. Se arrienda la vivienda de 80 m2.\n"
    "SEGUNDA.- Duración. El plazo de duración del contrato será de CINCO (5) AÑOS, a contar desde el 1 "
    "de\n"
    "septiembre de 2026 y finalizando el 31 de agosto de 2031.\n"
    "TERCERA.- Renta. La renta se fija en OCHOCIENTOS EUROS (850 €) mensuales, que se abonará dentro de "
    "los cinco primeros días de cada mes en la cuenta [IBAN_1].\n"
    "CUARTA.- Fianza. El arrendatario entrega una fianza de 1.600,00 € equivalente a dos mensualidades. "
    "El arrendador la devolverá en el plazo de un mes desde la entrega de las llaves.\n"
    "QUINTA.- Preaviso. El arrendatario podrá desistir con un preaviso de treinta días naturales. "
    "Penalización: el 5,5 % de la renta anual. Fecha 31 de febrero de 2027.\n"
)

LEASE_EN = (
    "LEASE AGREEMENT\n"
    "\n"
    "This Agreement is made on 3 March 2026 between Northgate Estates Ltd, a company registered in "
    "England (the “Landlord”), and Mr John Arthur Smith, holder of passport [GB_PASSPORT_1] (hereinafter "
    'referred to as the "Tenant").\n'
    "\n"
    "1. TERM\n"
    "1.1 The term shall be for a period of twelve (12) months from 1 April 2026.\n"
    "2. RENT\n"
    "2.1 The Tenant shall pay a rent of one thousand two hundred pounds (£1,250.00) per month, on the "
    "first day of each month. Payment by 03/04/2026.\n"
    "3. DEPOSIT\n"
    "3.1 A deposit of $1,500 shall be returned within fourteen days after termination.\n"
    "Article 4. Notice. Either party may terminate on not less than two months' written notice. Interest "
    "at 4.5% per annum.\n"
)

CIVIL_CLAIM = (
    "AL JUZGADO DE PRIMERA INSTANCIA DE SEVILLA\n"
    "\n"
    "Dña. Lucía Peña Mora, Procuradora de los Tribunales, en nombre y representación de D. Tomás Gil "
    "Arce, con DNI [ES_DNI_1], según acredito, comparezco y DIGO:\n"
    "\n"
    "Que interpongo DEMANDA DE JUICIO ORDINARIO contra la mercantil Construcciones Alba Norte, S.L., con "
    "CIF [ES_CIF_1], en reclamación de DOCE MIL EUROS (12.000 €).\n"
    "\n"
    "HECHOS\n"
    "PRIMERO.- El 12 de enero de 2025 se firmó contrato.\n"
)

TAX_RESOLUTION = (
    "RESOLUCIÓN\n"
    "Obligado tributario: Comercial Vega, S.A.\n"
    "NIF: [ES_CIF_1]\n"
    "La presente resolución fue notificada el 31 de enero de 2024.\n"
    "Contra la misma podrá interponer recurso de reposición ante este órgano, regulado en los artículos "
    "222 y siguientes de la Ley General Tributaria, o reclamación económico-administrativa, en el plazo "
    "de un mes contado desde el día siguiente al de la notificación.\n"
    "Contra esta resolución, que pone fin a la vía administrativa, cabe recurso "
    "contencioso-administrativo en el plazo de dos meses desde la notificación.\n"
)

SALE = (
    "CONTRATO PRIVADO DE COMPRAVENTA DE INMUEBLE CON ARRAS PENITENCIALES\n"
    "En la ciudad de Valencia, a quince de abril de dos mil veintiséis.\n"
    "REUNIDOS\n"
    "DE UNA PARTE: DON FRANCISCO JAVIER MOLINA SEGURA Y DOÑA ISABEL ROCA PLA, mayores de edad, casados "
    "en régimen de gananciales, con DNI/NIF [ES_DNI_1] y [ES_DNI_2] respectivamente, en adelante "
    "denominados LA PARTE VENDEDORA.\n"
    "DE OTRA PARTE: D. Óscar Núñez i Ferrer, soltero, vecino de Alicante, provisto de D.N.I. [ES_DNI_3], "
    "en lo sucesivo LA PARTE COMPRADORA.\n"
    "ESTIPULACIONES\n"
    "PRIMERA. - OBJETO. La parte vendedora vende el piso inscrito en el Registro n.º 4, tomo 1.234, "
    "libro 567, folio 89, finca 12.345.\n"
    "SEGUNDA. - PRECIO. El precio total de la compraventa es de DOSCIENTOS CUARENTA Y CINCO MIL "
    "QUINIENTOS EUROS CON CINCUENTA CÉNTIMOS (245.500,50 €), que se abonará así:\n"
    "a) VEINTE MIL EUROS (20.000 EUROS) en concepto de arras penitenciales (art. 1454 CC).\n"
    "b) El resto, 225.500,50 euros, en el otorgamiento de la escritura, antes del 30/06/2026.\n"
    "TERCERA. - GASTOS. Los gastos de comunidad, 85€/mes. IVA 21%.\n"
    "CUARTA. - PLAZO. La escritura se otorgará en el plazo máximo de 60 días naturales desde la firma "
    "del presente contrato.\n"
)

EMPLOYMENT_ES = (
    "CONTRATO DE TRABAJO INDEFINIDO\n"
    "REUNIDOS\n"
    "Dña. Elena Campos Rey, con NIF [ES_DNI_1], en calidad de administradora única, en nombre y "
    "representación de la empresa PANADERÍA EL TRIGAL, S.L.U., con CIF [ES_CIF_1], y domicilio social en "
    "Burgos, (en adelante, la EMPRESA), y\n"
    "D. [PERSON_9], con NIE [ES_NIE_1] (en adelante, EL TRABAJADOR).\n"
    "CLÁUSULAS\n"
    "Primera. El trabajador prestará sus servicios como Oficial 1.ª, desde el 01/02/2026, en jornada de "
    "40 horas semanales.\n"
    "Segunda. Se establece un período de prueba de seis meses.\n"
    "Tercera. Percibirá una retribución total de 24.000 euros brutos anuales, distribuidos en 14 pagas, "
    "y un plus de 150,00 € mensuales.\n"
    "Cuarta. Vacaciones: treinta días naturales por año.\n"
    "Quinta. El trabajador deberá preavisar con una antelación mínima de quince (15) días. Pacto de no "
    "competencia por un período de dos años tras la extinción, con una compensación de 6.000 € anuales.\n"
)

SERVICES = (
    "CONTRATO DE PRESTACIÓN DE SERVICIOS\n"
    "Entre Consultores Aranda & Hijos, S.L.P., con CIF [ES_CIF_1], representada por D. Pablo Aranda Gil "
    "(el «Prestador»), y Logística Ebro, S.A.U., con NIF [ES_CIF_2], representada en este acto por su "
    "administradora Dña. Sara Lacasa Pina (la «Cliente»).\n"
    "1. Objeto\n"
    "El Prestador prestará servicios de consultoría.\n"
    "2. Duración y prórroga\n"
    "El contrato entrará en vigor el 1 de enero de 2026 y tendrá una duración de un año, prorrogándose "
    "tácitamente por periodos anuales salvo preaviso de dos (3) meses.\n"
    "3. Honorarios\n"
    "El Cliente abonará 3.500 € más IVA al mes, dentro de los 30 días siguientes a la recepción de la "
    "factura. En caso de mora, interés del 8,25% anual.\n"
    "4. Responsabilidad\n"
    "La responsabilidad del Prestador se limita a 1,5 millones de euros.\n"
    "5. Confidencialidad\n"
    "La obligación de confidencialidad subsistirá durante cinco años desde la terminación.\n"
)

LOAN = (
    "CONTRATO DE PRÉSTAMO\n"
    "PRESTAMISTA: Finanzas Alcor, S.A., CIF [ES_CIF_1]\n"
    "PRESTATARIO: Juan Manuel Ortega Díaz, DNI [ES_DNI_1]\n"
    "FIADOR SOLIDARIO: Dña. Ana Belén Cruz\n"
    "Fecha del contrato: 2026-05-10\n"
    "Importe del préstamo: 30.000 EUR (treinta mil euros)\n"
    "Primera.- El prestatario devolverá el capital en 48 cuotas mensuales de 712,45 €, el día 1 de cada "
    "mes, comenzando el 01.07.2026.\n"
    "Segunda.- Interés remuneratorio: TIN 6,50 % anual; TAE: 6,70 %. Interés de demora: 8,50 por ciento.\n"
    "Tercera.- La comisión de apertura es del uno por ciento (1%).\n"
)

NDA_EN = (
    "MUTUAL NON-DISCLOSURE AGREEMENT\n"
    'THIS AGREEMENT is dated as of the 3rd day of March, 2026 (the "Effective Date") and is entered into '
    "by and between:\n"
    '(1) ACME ROBOTICS, INC., a Delaware corporation with offices at 12 Main Street ("Disclosing '
    'Party"); and\n'
    '(2) Beatriz Luna Design LLP (the "Receiving Party").\n'
    "NOW THEREFORE\n"
    "Section 1. Term. This Agreement shall remain in force for a period of three (3) years from the "
    "Effective Date.\n"
    "Section 2. The confidentiality obligations shall survive for five years after termination.\n"
    "Section 3. Breach. The Receiving Party shall pay liquidated damages of USD 250,000 (two hundred and "
    "fifty thousand dollars). The breaching party shall have ten (10) business days to cure after "
    "receipt of notice.\n"
)

EMPLOYMENT_EN = (
    "EMPLOYMENT AGREEMENT\n"
    "This Employment Agreement is entered into on January 15, 2026, by and between Harbour Foods Limited "
    '("Employer") and Ms. Olivia Grant ("Employee").\n'
    "1. Commencement\n"
    "Employment shall commence on February 1, 2026. The first three months shall be a probationary "
    "period.\n"
    "2. Salary\n"
    "The Employer shall pay a gross annual salary of £42,500.00, payable in monthly instalments, plus a "
    "bonus of up to 10 per cent.\n"
    "3. Notice\n"
    "Either party may terminate this Agreement by giving at least four weeks' written notice.\n"
)

DISMISSAL = (
    "TEXTILES GARBÍ, S.A.\n"
    "A la atención de Dña. Rosa María Vidal Puig\n"
    "Barcelona, 1 de marzo de 2024\n"
    "Muy Sra. nuestra:\n"
    "Por la presente le comunicamos su despido disciplinario, con efectos del día 1 de marzo de 2024. "
    "Podrá impugnar el despido mediante demanda en el plazo de veinte días hábiles desde la fecha de "
    "efectos. Su salario era de 1.850 €/mes.\n"
)

LABOUR_CLAIM = (
    "AL JUZGADO DE LO SOCIAL Nº 3 DE ZARAGOZA\n"
    "DEMANDANTE: D. Luis Bueno Sanz\n"
    "DEMANDADA: Transportes Moncayo, S.L.\n"
    "D. Luis Bueno Sanz, con DNI [ES_DNI_1], asistido por el Letrado D. Jorge Pina, comparece y dice que "
    "formula DEMANDA contra la empresa TRANSPORTES MONCAYO, S.L., con CIF [ES_CIF_1].\n"
    "HECHOS\n"
    "PRIMERO.- La parte actora prestó servicios desde el 2 de mayo de 2019, con salario de 1.900,00 "
    "euros brutos mensuales.\n"
    "SEGUNDO.- Reclama 4.321,98 €.\n"
)

SUMMONS = (
    "JUZGADO DE PRIMERA INSTANCIA\n"
    "Procedimiento: Juicio ordinario 123/2024\n"
    "DECRETO de 10 de julio de 2024\n"
    "Se emplaza a la parte demandada para que conteste a la demanda en el plazo de veinte días. "
    "Notificado el 25/07/2024.\n"
    "Contra esta resolución cabe recurso de apelación en el plazo de 10 días desde la notificación.\n"
)

ENFORCEMENT = (
    "AGENCIA ESTATAL DE ADMINISTRACIÓN TRIBUTARIA\n"
    "PROVIDENCIA DE APREMIO\n"
    "Obligado: Comercial Duero, S.L., NIF [ES_CIF_1]\n"
    "Fecha de notificación: 12/03/2024\n"
    "Importe principal: 4.500,00 €. Recargo de apremio (20 %): 900,00 €.\n"
    "El pago se efectuará en los plazos del artículo 62.5 de la Ley 58/2003, de 17 de diciembre, General "
    "Tributaria.\n"
    "Puede interponer recurso de reposición en el plazo de un mes, o reclamación "
    "económico-administrativa en el mismo plazo de un mes desde la notificación.\n"
)

LEASE_MX = (
    "CONTRATO DE ARRENDAMIENTO que celebran por una parte el C. JORGE LUIS HERRERA CAMPOS, a quien en lo "
    'sucesivo se le denominará "EL ARRENDADOR", y por la otra la empresa DISTRIBUIDORA DEL BAJÍO, S.A. '
    'DE C.V., representada por su apoderado legal la Lic. Marta Ríos, en adelante "EL ARRENDATARIO", al '
    "tenor de las siguientes:\n"
    "CLÁUSULAS\n"
    "PRIMERA. RENTA. $12,500.00 (DOCE MIL QUINIENTOS PESOS 00/100 M.N.) mensuales.\n"
    "SEGUNDA. DEPÓSITO. La cantidad de $25,000.00 pesos.\n"
    "Firmado a los quince (15) días del mes de marzo de dos mil veintiséis (2026).\n"
)

LEASE_ONE_PARAGRAPH = (
    "CONTRATO DE ARRENDAMIENTO. En Bilbao, a 2 de enero de 2026. REUNIDOS De una parte, JON ETXEBERRIA "
    "LASA, con DNI [ES_DNI_1], como arrendador, y de otra, NEREA ZABALA ORMAZA, con DNI [ES_DNI_2], como "
    "arrendataria. CLÁUSULAS PRIMERA.- OBJETO. Se alquila el local. SEGUNDA.- DURACIÓN. Tres años desde "
    "el 1/2/2026. TERCERA.- RENTA. 900€ al mes."
)

CONSUMER_TERMS = (
    "TÉRMINOS Y CONDICIONES\n"
    'Tienda Sol, S.L. (en adelante, "el Vendedor"). El consumidor dispone de un derecho de desistimiento '
    "de 7 días naturales desde la entrega del producto. Los gastos de envío son 4,95 €. Garantía legal "
    "de tres años. Última actualización: marzo de 2026. Firmado a __ de ________ de 20__.\n"
)

HOUSING_LEASE = (
    "CONTRATO DE ARRENDAMIENTO DE VIVIENDA HABITUAL\n"
    "\n"
    "En Sevilla, a 15 de julio de 2026.\n"
    "\n"
    "REUNIDOS\n"
    "\n"
    "De una parte, como ARRENDADORA, la mercantil INVERSIONES GUADALETE 2010, S.L., con domicilio social "
    "en Sevilla, calle Feria núm. 12, y C.I.F. [ES_CIF_1], representada en este acto por D. Manuel Jesús "
    "Ortiz Vera, con D.N.I. [ES_DNI_1], en su calidad de administrador único.\n"
    "\n"
    "Y de otra parte, como ARRENDATARIOS, D. Raúl Marín Cano y Dña. Cristina Vela Ríos, mayores de edad, "
    "con DNI [ES_DNI_2] y [ES_DNI_3], respectivamente, que actúan en su propio nombre y derecho.\n"
    "\n"
    "Ambas partes se reconocen capacidad legal suficiente y\n"
    "\n"
    "ESTIPULAN\n"
    "\n"
    "1ª.- OBJETO\n"
    "La vivienda sita en calle Betis, n.º 5, 3.º A, de 75,50 m², referencia catastral [ES_CADASTRE_1].\n"
    "\n"
    "2ª.- DURACIÓN\n"
    "El arrendamiento se pacta por un plazo de UN AÑO, que comenzará a regir el día 1 de agosto de 2026, "
    "prorrogable obligatoriamente por plazos anuales hasta alcanzar una duración mínima de CINCO años "
    "(siete si el arrendador fuese persona jurídica), salvo que el arrendatario manifieste con treinta "
    "días de antelación su voluntad de no renovarlo.\n"
    "\n"
    "3ª.- RENTA\n"
    "La renta anual será de ONCE MIL CUATROCIENTOS EUROS (11.400 €), pagadera en mensualidades "
    "anticipadas de 950 € cada una, dentro de los siete (7) primeros días de cada mes, mediante ingreso "
    "en la cuenta IBAN [IBAN_1].\n"
    "\n"
    "4ª.- ACTUALIZACIÓN\n"
    "La renta se actualizará cada año conforme al IPC, sin que el incremento exceda del 3 %.\n"
    "\n"
    "5ª.- FIANZA Y GARANTÍAS\n"
    "Se entrega la cantidad de 950 euros en concepto de fianza legal. Además, se constituye una garantía "
    "adicional de dos mensualidades (1.900 €).\n"
    "El saldo de la fianza se restituirá en el plazo de un mes desde la entrega de las llaves; pasado "
    "dicho plazo devengará el interés legal.\n"
    "\n"
    "6ª.- OBRAS, IMPAGO\n"
    "En caso de impago se aplicará un recargo del 10% y, en su caso, una penalización de 50 € por cada "
    "día de retraso.\n"
)

CONSULTING_EN = (
    "CONSULTING SERVICES AGREEMENT\n"
    "\n"
    'This Consulting Services Agreement (the "Agreement") is made and entered into as of September 1, '
    "2026 (the “Effective Date”), by and between Blue Heron Analytics LLC, a limited liability company "
    "organized under the laws of Delaware, with its principal place of business at 100 King St. (the "
    '"Company"), and Jane Q. Doe, an individual residing at 5 Elm Road ("Consultant").\n'
    "\n"
    "WHEREAS, the Company wishes to engage Consultant;\n"
    "\n"
    "1. SERVICES. Consultant shall provide the services described in Exhibit A.\n"
    "\n"
    "2. COMPENSATION. The Company shall pay Consultant US$150.00 per hour, not to exceed $20,000 per "
    "month. Invoices are due net 45 days from receipt. Late payments bear interest at 1.5% per month.\n"
    "\n"
    "3. TERM AND TERMINATION. The initial term is two (2) years commencing on the Effective Date and "
    "shall automatically renew for successive one-year terms unless either party gives sixty (60) days' "
    "written notice prior to expiry.\n"
    "\n"
    "4. NON-COMPETE. For twelve months following termination, Consultant shall not compete within 50 "
    "miles.\n"
    "\n"
    "5. LIABILITY. In no event shall liability exceed Five Hundred Thousand Dollars ($500,000.00).\n"
    "\n"
    "IN WITNESS WHEREOF, the parties have executed this Agreement on the date first written above.\n"
)

SANCTION = (
    "AYUNTAMIENTO DE VILLANUBLA\n"
    "NOTIFICACIÓN DE RESOLUCIÓN SANCIONADORA\n"
    "Expediente: 45/2026\n"
    "Interesado: D. Pedro Lozano Prieto\n"
    "Fecha de recepción: 29/02/2024\n"
    "\n"
    "Por medio de la presente se le notifica que, por Decreto de Alcaldía de 20 de febrero de 2024, se "
    "le ha impuesto una multa de SEISCIENTOS EUROS (600,00 €).\n"
    "\n"
    "RECURSOS: Contra la presente resolución, que no pone fin a la vía administrativa, podrá interponer "
    "recurso de alzada ante el órgano superior en el plazo de UN MES, a contar desde el día siguiente al "
    "de su notificación, de conformidad con los artículos 121 y 122 de la Ley 39/2015, de 1 de octubre.\n"
    "El pago deberá realizarse en el plazo de 15 días hábiles desde la notificación.\n"
)

NDA_ES = (
    "ACUERDO DE CONFIDENCIALIDAD\n"
    'Entre: Biotec Almenara, S.A. ("la Parte Reveladora") y Laboratorios Piquer, S.L. ("la Parte '
    'Receptora"),\n'
    "I. Que las partes desean intercambiar información.\n"
    "CLÁUSULAS\n"
    "Primera: Duración. La obligación de secreto durará tres años a contar desde la firma.\n"
    "Segunda: Penalización. El incumplimiento dará lugar a una indemnización de cien mil euros "
    "(100.000,00.-€).\n"
)

SERVICES_CO = (
    "CONTRATO DE PRESTACIÓN DE SERVICIOS PROFESIONALES\n"
    "Entre los suscritos a saber: CARLOS ANDRÉS MEJÍA TORO, mayor de edad, identificado con cédula de "
    "ciudadanía No. [CO_CC_1] de Bogotá, quien en adelante se denominará EL CONTRATANTE, y por la otra "
    "LAURA VALENTINA RÍOS, identificada con C.C. [CO_CC_2], quien se denominará EL CONTRATISTA.\n"
    "VALOR: La suma de DIEZ MILLONES DE PESOS M/CTE ($10.000.000), pagaderos en dos cuotas.\n"
    "PLAZO: Seis (6) meses contados a partir del 1 de febrero de 2026.\n"
)

BUROFAX = (
    "Estimado Sr. D. Ignacio Leal:\n"
    "Mediante el presente burofax le requiero para que, en el improrrogable plazo de 7 días desde la "
    "recepción de la presente, abone la cantidad de 3.250,75 € que adeuda en concepto de rentas de los "
    "meses de enero a marzo de 2026. De lo contrario ejercitaremos la acción de desahucio. Con fecha 2 "
    "de abril de 2026 se celebró conciliación.\n"
)

DOCUMENTS = {
    "lease_es": LEASE_ES,
    "lease_en": LEASE_EN,
    "civil_claim": CIVIL_CLAIM,
    "tax_resolution": TAX_RESOLUTION,
    "sale": SALE,
    "employment_es": EMPLOYMENT_ES,
    "services": SERVICES,
    "loan": LOAN,
    "nda_en": NDA_EN,
    "employment_en": EMPLOYMENT_EN,
    "dismissal": DISMISSAL,
    "labour_claim": LABOUR_CLAIM,
    "summons": SUMMONS,
    "enforcement": ENFORCEMENT,
    "lease_mx": LEASE_MX,
    "lease_one_paragraph": LEASE_ONE_PARAGRAPH,
    "consumer_terms": CONSUMER_TERMS,
    "housing_lease": HOUSING_LEASE,
    "consulting_en": CONSULTING_EN,
    "sanction": SANCTION,
    "nda_es": NDA_ES,
    "services_co": SERVICES_CO,
    "burofax": BUROFAX,
}
