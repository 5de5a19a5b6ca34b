"""Fictional openings of Spanish documents, each with the cast a careful reader would give."""

Cast = list[tuple[str, str | None]]

SPANISH: dict[str, tuple[str, Cast]] = {
    "role_before_name": (
        "CONTRATO DE ARRENDAMIENTO DE VIVIENDA\nEn Valencia, a 15 de septiembre de 2026.\nREUNIDOS. "
        "De una parte, como arrendadora, doña Carmen Ibáñez Soler, con DNI [ES_DNI_1] y domicilio en "
        "la calle de la Reina, 14, 46011 Valencia. De otra, como arrendatario, don Javier Molina "
        "Prieto, con DNI [ES_DNI_2] y correo electrónico [EMAIL_1]. Ambas partes se reconocen "
        "capacidad y ACUERDAN:",
        [("Carmen Ibáñez Soler", "landlord"), ("Javier Molina Prieto", "tenant")],
    ),
    "role_line_before_name": (
        "REUNIDOS\n\nDE UNA PARTE, EN CALIDAD DE PARTE VENDEDORA:\nDon Luis Ferrer Cano, mayor de "
        "edad, soltero, con DNI [ES_DNI_1].\n\nDE OTRA PARTE, EN CALIDAD DE PARTE COMPRADORA:\nDoña "
        "Eva Prats Gil, mayor de edad, con DNI [ES_DNI_2].\n",
        [("Luis Ferrer Cano", "seller"), ("Eva Prats Gil", "buyer")],
    ),
    "lease_by_company": (
        "De una parte, D. Andrés Vela Mora, con NIF [ES_NIF_1], actuando en nombre y representación "
        "de la mercantil ALQUILERES DEL TURIA, S.L., con CIF [ES_CIF_1], en calidad de administrador "
        "solidario, en adelante EL ARRENDADOR.\nY de otra parte, Dª. Sonia Amat Ruiz, mayor de edad, "
        "con NIE [ES_NIE_1], actuando en su propio nombre y derecho, en adelante LA ARRENDATARIA.",
        [
            ("Andrés Vela Mora", "representative"),
            ("ALQUILERES DEL TURIA, S.L.", "landlord"),
            ("Sonia Amat Ruiz", "tenant"),
        ],
    ),
    "notarial_sale": (
        "NÚMERO MIL DOSCIENTOS TREINTA Y CUATRO.\nEn Granada, mi residencia, a cuatro de mayo de dos "
        "mil veintiséis.\nAnte mí, PEDRO SALAS LEÓN, Notario del Ilustre Colegio de Andalucía,\n"
        "COMPARECEN:\nDE UNA PARTE: Y como vendedores, DON MANUEL RÍOS PARRA y DOÑA INÉS LARA "
        "MEDINA, cónyuges, mayores de edad, vecinos de Granada, con DNI [ES_DNI_1] y [ES_DNI_2].\nY "
        "DE OTRA: Como comprador, DON ÁLVARO CRUZ BENÍTEZ, soltero, con DNI [ES_DNI_3].\n"
        "INTERVIENEN: Todos en su propio nombre y derecho.",
        [("MANUEL RÍOS PARRA", "seller"), ("INÉS LARA MEDINA", "seller"), ("ÁLVARO CRUZ BENÍTEZ", "buyer")],
    ),
    "notarial_intervention": (
        "COMPARECEN\nDON TOMÁS GIL RUBIO, mayor de edad, con DNI [ES_DNI_1].\nDOÑA LAURA VIDAL SANS, "
        "mayor de edad, con DNI [ES_DNI_2].\nINTERVIENEN\nDon Tomás Gil Rubio, en nombre y "
        "representación, como administrador único, de la sociedad PROMOCIONES ARDILA, S.A., con CIF "
        "[ES_CIF_1], en adelante, la parte vendedora.\nDoña Laura Vidal Sans, en su propio nombre y "
        "derecho, en adelante, la parte compradora.",
        [
            ("TOMÁS GIL RUBIO", "representative"),
            ("LAURA VIDAL SANS", "buyer"),
            ("PROMOCIONES ARDILA, S.A.", "seller"),
        ],
    ),
    "services_two_companies": (
        "De una parte, GESTORÍA MONTES Y ASOCIADOS, S.L.P., con domicilio social en Gijón, calle "
        "Uría 3, y NIF [ES_CIF_1], representada en este acto por su administrador único D. Óscar "
        "Montes Prado, con DNI [ES_DNI_1] (en lo sucesivo, el «Prestador»).\nDe otra parte, TALLERES "
        "NARCEA, S.A., con NIF [ES_CIF_2], representada en este acto por su apoderada doña Nuria "
        "Sela Rey, en virtud de escritura de poder otorgada ante el notario de Oviedo don Fidel "
        "Campo Arias el 3 de abril de 2020 (en lo sucesivo, el «Cliente»).",
        [
            ("GESTORÍA MONTES Y ASOCIADOS, S.L.P.", "provider"),
            ("Óscar Montes Prado", "representative"),
            ("TALLERES NARCEA, S.A.", "client"),
            ("Nuria Sela Rey", "representative"),
        ],
    ),
    "employment_en_calidad_de": (
        "CONTRATO DE TRABAJO TEMPORAL. Don Emilio Soto Vara, con DNI [ES_DNI_1], en calidad de "
        "empresa, con domicilio en Soria, y de otra el trabajador don Hugo Pardo Lázaro, con DNI "
        "[ES_DNI_2] y n.º de la Seguridad Social [ES_NSS_1], acuerdan celebrar el presente contrato.",
        [("Emilio Soto Vara", "employer"), ("Hugo Pardo Lázaro", "employee")],
    ),
    "employment_company": (
        "De una parte, la empresa FRUTAS DEL JERTE, S. Coop., con CIF [ES_CIF_1], y en su nombre D. "
        "Jaime Rey Luna, en calidad de gerente; y de otra, D.ª Marta Cobo Fraile, con NIF "
        "[ES_NIF_2], como trabajadora.",
        [
            ("FRUTAS DEL JERTE, S. Coop.", "employer"),
            ("Jaime Rey Luna", "representative"),
            ("Marta Cobo Fraile", "employee"),
        ],
    ),
    "loan_labels": (
        "CONTRATO DE PRÉSTAMO ENTRE PARTICULARES\nPRESTAMISTA: D. Rafael Ochoa Lorente, DNI "
        "[ES_DNI_1].\nPRESTATARIA: Dña. Teresa Nadal Pons, DNI [ES_DNI_2].\n",
        [("Rafael Ochoa Lorente", "lender"), ("Teresa Nadal Pons", "borrower")],
    ),
    "loan_dash_labels": (
        "EL PRESTAMISTA - RAFAEL OCHOA LORENTE, con DNI [ES_DNI_1]\nEL PRESTATARIO - TERESA NADAL "
        "PONS, con DNI [ES_DNI_2]\n",
        [("RAFAEL OCHOA LORENTE", "lender"), ("TERESA NADAL PONS", "borrower")],
    ),
    "nda_entre": (
        "ACUERDO DE CONFIDENCIALIDAD entre NEXO BIOLÓGICA, S.L. (en lo sucesivo, «la Parte "
        "Reveladora»), con CIF [ES_CIF_1], y FARMALIA EUROPA, S.A.U. (en lo sucesivo, «la Parte "
        "Receptora»), con CIF [ES_CIF_2].",
        [("NEXO BIOLÓGICA, S.L.", "discloser"), ("FARMALIA EUROPA, S.A.U.", "recipient")],
    ),
    "civil_claim": (
        "AL JUZGADO\n\nD.ª Pilar Conde Mira, Procuradora de los Tribunales, en nombre y "
        "representación de D. Juan Antonio Beltrán Sáez, mayor de edad, según poder apud acta, bajo "
        "la dirección letrada de D.ª Clara Puig Ferré, comparezco y, como mejor proceda en Derecho, "
        "DIGO: Que formulo DEMANDA de juicio verbal contra SEGUROS MERIDIANO, S.A., con CIF "
        "[ES_CIF_1].",
        [
            ("Pilar Conde Mira", "representative"),
            ("Juan Antonio Beltrán Sáez", "claimant"),
            ("Clara Puig Ferré", "representative"),
            ("SEGUROS MERIDIANO, S.A.", "defendant"),
        ],
    ),
    "claim_for_several": (
        "D. Ramón Cid Lago, Procurador de los Tribunales, en representación de DON PABLO MIR COLL y "
        "DOÑA SARA MIR COLL, interpone demanda de juicio ordinario frente a D. Víctor Saura Gómez y "
        "contra la entidad BANCO DEL SEGRE, S.A.",
        [
            ("Ramón Cid Lago", "representative"),
            ("PABLO MIR COLL", "claimant"),
            ("SARA MIR COLL", "claimant"),
            ("Víctor Saura Gómez", "defendant"),
            ("BANCO DEL SEGRE, S.A.", "defendant"),
        ],
    ),
    "judgment_heading": (
        "SENTENCIA Nº 45/2026\nMagistrada-Juez: Dña. Elisa Campos Ruiz\nParte demandante: D. Iván "
        "Lozano Rey\nProcurador: D. Luis Sanz Gil\nAbogada: Dña. Irene Mas Polo\nParte demandada: "
        "INMOBILIARIA SALOBRE, S.L.\n",
        [
            ("Iván Lozano Rey", "claimant"),
            ("Luis Sanz Gil", "representative"),
            ("Irene Mas Polo", "representative"),
            ("INMOBILIARIA SALOBRE, S.L.", "defendant"),
        ],
    ),
    "parts_last_in_apposition": (
        "CONTRATO DE COMPRAVENTA\nDe una parte, D. Luis Paz Rey, con DNI [ES_DNI_1], vendedor; de otra, "
        "D.ª Ana Gil Ros, con DNI [ES_DNI_2], compradora.\n",
        [("Luis Paz Rey", "seller"), ("Ana Gil Ros", "buyer")],
    ),
    "several_under_one_part": (
        "DE UNA PARTE, D.ª Pilar Lanuza Abós, con DNI [ES_DNI_1] (en adelante, «la Arrendadora»).\n\nDE "
        "OTRA PARTE, D. Youssef Amrani Haddad, mayor de edad, con NIE [ES_NIE_1], y D.ª Berta Casaus Gil, "
        "mayor de edad, con DNI [ES_DNI_2], ambos con domicilio en Zaragoza (en adelante, «los "
        "Arrendatarios»).\n",
        [
            ("Pilar Lanuza Abós", "landlord"),
            ("Youssef Amrani Haddad", "tenant"),
            ("Berta Casaus Gil", "tenant"),
        ],
    ),
    "dismissal_letter": (
        "CONSERVAS DEL CANTÁBRICO, S.L.\nD. Íñigo Sáez Pardo\nCalle Mayor 4, Santoña\n\nSantoña, a "
        "12 de marzo de 2026\n\nEstimado Sr. Sáez:\nLa Dirección de esta empresa le comunica su "
        "despido disciplinario, con efectos desde el día de hoy.\n\nFdo.: Dña. Rosa Lanza Vega\n"
        "Directora de Recursos Humanos\n",
        [("CONSERVAS DEL CANTÁBRICO, S.L.", "employer"), ("Íñigo Sáez Pardo", "employee")],
    ),
    "enforcement_order": (
        "AGENCIA TRIBUTARIA\nPROVIDENCIA DE APREMIO\nDeudor: MONTAJES ARLANZA, S.L.   NIF: "
        "[ES_CIF_1]\nObligado al pago: MONTAJES ARLANZA, S.L.\nImporte: 1.200,00 euros\n",
        [("MONTAJES ARLANZA, S.L.", "debtor")],
    ),
    "all_capitals": (
        "EN SEGOVIA, A 3 DE JUNIO DE 2026. REUNIDOS: DE UNA PARTE, DON MARCOS ARRIBAS PINTO, MAYOR "
        "DE EDAD, CON DNI [ES_DNI_1] Y DOMICILIO EN SEGOVIA, CALLE REAL 5, EN ADELANTE EL "
        "ARRENDADOR; Y DE OTRA PARTE, DOÑA CELIA BRAVO NIETO, CON DNI [ES_DNI_2], EN ADELANTE LA "
        "ARRENDATARIA. AMBAS PARTES SE RECONOCEN CAPACIDAD LEGAL.",
        [("MARCOS ARRIBAS PINTO", "landlord"), ("CELIA BRAVO NIETO", "tenant")],
    ),
    "all_capitals_company": (
        "ENTRE LA MERCANTIL TRANSPORTES HERMANOS GALVE, S.L., REPRESENTADA POR DON JOSÉ GALVE ROYO, "
        "EN ADELANTE EL TRANSPORTISTA, Y LA EMPRESA CEREALES MONEGROS, S.A., EN ADELANTE EL CLIENTE.",
        [
            ("TRANSPORTES HERMANOS GALVE, S.L.", "carrier"),
            ("JOSÉ GALVE ROYO", "representative"),
            ("CEREALES MONEGROS, S.A.", "client"),
        ],
    ),
    "one_paragraph_untitled": (
        "Contrato de compraventa de vehículo usado. En Lugo, a 9 de abril de 2026, reunidos de una "
        "parte Xoán Vila Castro, con DNI [ES_DNI_1], como vendedor, y de otra Uxía Rei Souto, con "
        "DNI [ES_DNI_2], como compradora, acuerdan lo siguiente.",
        [("Xoán Vila Castro", "seller"), ("Uxía Rei Souto", "buyer")],
    ),
    "role_then_untitled": (
        "De una parte, como vendedor, Xoán Vila Castro, con DNI [ES_DNI_1]. De otra parte, como "
        "compradora, Uxía Rei Souto, con DNI [ES_DNI_2].",
        [("Xoán Vila Castro", "seller"), ("Uxía Rei Souto", "buyer")],
    ),
    "placeholders": (
        "REUNIDOS\nDe una parte, [PERSON_1], con DNI [ES_DNI_1], en lo sucesivo el ARRENDADOR, y de "
        "otra, [PERSON_2], con DNI [ES_DNI_2], en lo sucesivo el ARRENDATARIO, y [PERSON_3], como "
        "FIADOR solidario.",
        [("[PERSON_1]", "landlord"), ("[PERSON_2]", "tenant"), ("[PERSON_3]", "guarantor")],
    ),
    "franchise": (
        "Reunidos: de una parte, CAFÉ ATLANTE FRANQUICIAS, S.L., en adelante el FRANQUICIADOR, "
        "debidamente representada por don Borja Luz Amaro; y de otra, doña Gema Prat Olmo, en "
        "adelante la FRANQUICIADA.",
        [
            ("CAFÉ ATLANTE FRANQUICIAS, S.L.", "franchisor"),
            ("Borja Luz Amaro", "representative"),
            ("Gema Prat Olmo", "franchisee"),
        ],
    ),
    "guarantor_third": (
        "De otra parte, como arrendatario, D. Saúl Mena Ortiz, con NIE [ES_NIE_1]. Y de una tercera "
        "parte, como avalista, D.ª Olga Ortiz Peña, con DNI [ES_DNI_2].",
        [("Saúl Mena Ortiz", "tenant"), ("Olga Ortiz Peña", "guarantor")],
    ),
    "deposit_sale": (
        "CONTRATO DE ARRAS PENITENCIALES. De una parte, como parte vendedora, los cónyuges don Blas "
        "Ferrándiz Mut y doña Rita Llopis Bou, y de otra, como parte compradora, la sociedad HÁBITAT "
        "LLEVANT, S.L., representada por su administradora única, doña Mar Escrivà Font.",
        [
            ("Blas Ferrándiz Mut", "seller"),
            ("Rita Llopis Bou", "seller"),
            ("HÁBITAT LLEVANT, S.L.", "buyer"),
            ("Mar Escrivà Font", "representative"),
        ],
    ),
    "people_in_passing": (
        "El arrendatario, según informó D. Luis Cano Mesa, perito tasador, conservará la vivienda. "
        "La finca linda con la de don Félix Roa Gil y con la calle de Don Ramón de la Cruz. Consta "
        "inscrita a favor de GAS NORTE, S.A. una servidumbre.",
        [],
    ),
    "joined_by_and": (
        "Entre D. Juan Gil Paz, con DNI [ES_DNI_1], como vendedor, y D.ª Ana Soto Rey, con DNI "
        "[ES_DNI_2], como compradora, se conviene:",
        [("Juan Gil Paz", "seller"), ("Ana Soto Rey", "buyer")],
    ),
    "role_after_each_name": (
        "D. Saúl Mena Ortiz, como arrendatario, D.ª Olga Ortiz Peña, como avalista, y D. Luis Cano "
        "Roa, como arrendador, acuerdan:",
        [("Saúl Mena Ortiz", "tenant"), ("Olga Ortiz Peña", "guarantor"), ("Luis Cano Roa", "landlord")],
    ),
    "for_self_and_spouse": (
        "De una parte, D. Pedro Ruiz Gómez, que interviene en su propio nombre y derecho y además en "
        "nombre y representación de su esposa D.ª Luisa Mora Gil, en adelante los VENDEDORES. De "
        "otra parte, D. Hugo Sanz Rey, en adelante el COMPRADOR.",
        [("Pedro Ruiz Gómez", "seller"), ("Luisa Mora Gil", "seller"), ("Hugo Sanz Rey", "buyer")],
    ),
    "street_and_bank": (
        "De una parte, D. Juan Pérez Gil, con domicilio en calle Don Ramón de la Cruz 12, Madrid (en "
        "adelante, el ARRENDADOR). De otra parte, D. Ian Smith, con cuenta abierta en CaixaNorte, "
        "S.A. (en adelante, el ARRENDATARIO).",
        [("Juan Pérez Gil", "landlord"), ("Ian Smith", "tenant")],
    ),
    "signature_block": (
        "EL ARRENDADOR                    EL ARRENDATARIO\n\nFdo. D. Alberto Ruiz Montes      Fdo. "
        "Dña. María Soto Vega",
        [],
    ),
    "signature_block_untitled": (
        "EL ARRENDADOR                    EL ARRENDATARIO\nD. Alberto Ruiz Montes      Dña. María Soto Vega",
        [],
    ),
    "representative_of": (
        "Que D. Luis Amor Gil es representante de la arrendataria, D. Marcos Polo Ruiz. La "
        "arrendataria pagará la renta.",
        [("Marcos Polo Ruiz", "tenant")],
    ),
    "official_form": (
        "CONTRATO DE TRABAJO\nDATOS DE LA EMPRESA\nCIF/NIF: [ES_CIF_1]\nD./DÑA. JULIA MAS PEREA  "
        "NIF/NIE [ES_DNI_1]  EN CONCEPTO DE ADMINISTRADORA\nNOMBRE O RAZÓN SOCIAL DE LA EMPRESA: "
        "PANADERÍA SOLÉ, S.L.\nDATOS DEL TRABAJADOR\nD./DÑA. IVÁN COLL ROCA  NIF/NIE [ES_DNI_2]",
        [
            ("JULIA MAS PEREA", "representative"),
            ("PANADERÍA SOLÉ, S.L.", "employer"),
            ("IVÁN COLL ROCA", "employee"),
        ],
    ),
    "guarantors": (
        "En Bilbao, a 1 de junio de 2026. De una parte, como deudora principal, la sociedad ARCO "
        "NORTE, S.L.U., y de otra, como fiadores, D. Unai Leal Ibarra y D.ª Ane Leal Ibarra, mayores "
        "de edad.",
        [
            ("ARCO NORTE, S.L.U.", "debtor"),
            ("Unai Leal Ibarra", "guarantor"),
            ("Ane Leal Ibarra", "guarantor"),
        ],
    ),
    "insurance": (
        "La entidad aseguradora MUTUA PENÍNSULA, S.A. (en adelante, la Aseguradora) y el tomador D. "
        "Pau Serra Font convienen:",
        [("MUTUA PENÍNSULA, S.A.", "insurer"), ("Pau Serra Font", "insured")],
    ),
    "without_parts": (
        "Reunidos en Madrid, D. Fermín Rueda Sáinz, mayor de edad, con DNI [ES_DNI_1], y D.ª Paz "
        "Luján Ors, mayor de edad, con DNI [ES_DNI_2], exponen:",
        [("Fermín Rueda Sáinz", None), ("Paz Luján Ors", None)],
    ),
    "administrative_appeal": (
        "D. Carlos Gil Ruiz, Letrado del Ilustre Colegio de Abogados de Madrid, actuando en nombre y "
        "representación de D.ª Eva Sanz Polo, interpone RECURSO DE ALZADA contra la resolución de 3 "
        "de mayo de 2026 del Ayuntamiento de Getafe.",
        [("Carlos Gil Ruiz", "representative"), ("Eva Sanz Polo", "appellant")],
    ),
    "application": (
        "AL AYUNTAMIENTO DE GETAFE\nD.ª Eva Sanz Polo, con DNI [ES_DNI_1] y domicilio a efectos de "
        "notificaciones en Getafe, ante ese órgano comparece y EXPONE:",
        [("Eva Sanz Polo", None)],
    ),
    "community_of_owners": (
        "En virtud de poder, DOÑA MERCEDES VIVES ROIG, en representación de COMUNIDAD DE "
        "PROPIETARIOS CALLE SOL 5, con CIF [ES_CIF_1], en adelante la PROPIEDAD, y OBRAS TAJO, S.L., "
        "en adelante el CONTRATISTA.",
        [
            ("MERCEDES VIVES ROIG", "representative"),
            ("COMUNIDAD DE PROPIETARIOS", "owner"),
            ("OBRAS TAJO, S.L.", "provider"),
        ],
    ),
    "role_in_brackets": (
        "Contrato de compraventa celebrado entre la mercantil AUTOS DEL SUR, S.L. (vendedora) y don "
        "Ismael Vega Lara (comprador).",
        [("AUTOS DEL SUR, S.L.", "seller"), ("Ismael Vega Lara", "buyer")],
    ),
    "spelt_titles": (
        "el vendedor, señor Pablo Ríos Cano, y la compradora, señora Inés Leal Mora",
        [("Pablo Ríos Cano", "seller"), ("Inés Leal Mora", "buyer")],
    ),
    "two_columns": (
        "Prestador: Estudio Lumbre, S.L.P. | Cliente: Hotel Mirador, S.A.",
        [("Estudio Lumbre, S.L.P.", "provider"), ("Hotel Mirador, S.A.", "client")],
    ),
    "assignment": (
        "D. Javier Ruiz, en adelante «el Cedente», cede a Factor Plus, E.F.C., S.A., en adelante «el "
        "Cesionario», el crédito frente a Obras Tajo, S.L.",
        [("Javier Ruiz", "assignor"), ("Factor Plus, E.F.C., S.A.", "assignee")],
    ),
    "role_lines": (
        "Arrendador\nDon Blas Otero Gil\n\nArrendatario\nDoña Inés Mata Ruiz\n",
        [("Blas Otero Gil", "landlord"), ("Inés Mata Ruiz", "tenant")],
    ),
    "settlement": (
        "La trabajadora, Dña. Lola Ferrer Mas, con NIE [ES_NIE_1], y la empresa LIMPIEZAS BRILLO, "
        "S.A., representada por D. Paco Gil Soto, firman este finiquito.",
        [
            ("Lola Ferrer Mas", "employee"),
            ("LIMPIEZAS BRILLO, S.A.", "employer"),
            ("Paco Gil Soto", "representative"),
        ],
    ),
    "manager_of_the_employer": (
        "De una parte don Emilio Soto Vara, con NIF [ES_NIF_1], en calidad de gerente de la empresa "
        "METALGRÁFICA DEL EBRO, S.A., con CIF [ES_CIF_1], y de otra, como trabajador, don Hugo Pardo "
        "Lázaro, con NIF [ES_NIF_2].",
        [
            ("Emilio Soto Vara", "representative"),
            ("METALGRÁFICA DEL EBRO, S.A.", "employer"),
            ("Hugo Pardo Lázaro", "employee"),
        ],
    ),
    "labels_in_one_paragraph": (
        "CONTRATO DE COMPRAVENTA. En Lleida, a 8 de mayo de 2026. VENDEDOR: Jordi Pla Riba, DNI "
        "[ES_DNI_1]. COMPRADORA: Núria Vall Mas, DNI [ES_DNI_2]. Employer: Lakeside Care Ltd. "
        "Employee: Fiona Grace Bell.",
        [
            ("Jordi Pla Riba", "seller"),
            ("Núria Vall Mas", "buyer"),
            ("Lakeside Care Ltd.", "employer"),
            ("Fiona Grace Bell", "employee"),
        ],
    ),
    "two_short_names": (
        "Entre:\nDistribuciones Arga, S.L., con NIF [ES_CIF_1], representada por su consejero "
        "delegado, don Íñigo Ruiz Azcona, en adelante «Arga» o el «Suministrador»;\ny\nHostelería "
        "Ultzama, S.L., con NIF [ES_CIF_2], representada por doña Miren Larrea Sola, en adelante "
        "«Ultzama» o el «Cliente».",
        [
            ("Distribuciones Arga, S.L.", "provider"),
            ("Íñigo Ruiz Azcona", "representative"),
            ("Hostelería Ultzama, S.L.", "client"),
            ("Miren Larrea Sola", "representative"),
        ],
    ),
    "agency": (
        "Entre ACEROS NERVIÓN, S.A., con CIF [ES_CIF_1] (el EMPRESARIO), y D. Iker Aguirre Sanz (el AGENTE).",
        [("ACEROS NERVIÓN, S.A.", "principal"), ("Iker Aguirre Sanz", "agent")],
    ),
    "bearer_of_a_street": (
        "El notario de Cádiz don Luis Roa Gil autorizó la escritura de la finca de la calle Doña "
        "Blanca de Navarra.",
        [],
    ),
}
