"""Fictional openings of English documents, each with the cast a careful reader would give."""

Cast = list[tuple[str, str | None]]

ENGLISH: dict[str, tuple[str, Cast]] = {
    "english_numbered_parties": (
        "This Agreement is made on 4 May 2026 between:\n(1) Bramley Foods Limited, a company "
        "registered in England and Wales (company number [UK_CRN_1]) whose registered office is at 1 "
        "Mill Lane, Leeds (the “Supplier”); and\n(2) Orchard & Sons LLP, a limited liability "
        "partnership (the “Customer”).",
        [("Bramley Foods Limited", "provider"), ("Orchard & Sons LLP", "client")],
    ),
    "english_between_and": (
        "TENANCY AGREEMENT\n\nBETWEEN:\n\nMR PETER JAMES HOLLIS of 4 Oak Road, Bristol (the "
        "Landlord)\n\nAND:\n\nMISS AMY CLARE DUNN of 9 Elm Street, Bath (the Tenant)\n",
        [("PETER JAMES HOLLIS", "landlord"), ("AMY CLARE DUNN", "tenant")],
    ),
    "english_by_and_between": (
        "This Consulting Agreement is entered into as of March 1, 2026 by and between Ridgeway Data, "
        "Inc., a Delaware corporation (“Company”), and Martin Louis Hale, an individual residing in "
        "Austin, Texas (“Consultant”).",
        [("Ridgeway Data, Inc.", "company"), ("Martin Louis Hale", "provider")],
    ),
    "english_untitled_people": (
        "THIS LOAN AGREEMENT is made the 2nd day of June 2026 BETWEEN Sarah Anne Whitfield of 12 "
        "High Street, York (hereinafter called “the Lender”) of the one part and George Thomas Kemp "
        "of 3 Park Row, Hull (hereinafter called “the Borrower”) of the other part.",
        [("Sarah Anne Whitfield", "lender"), ("George Thomas Kemp", "borrower")],
    ),
    "english_acting_by": (
        "(1) HALCYON ESTATES PLC, acting by its director Mr Simon Dray (“the Seller”)\n(2) Dr. Ruth "
        "Palmer-Lowe (“the Buyer”)\n",
        [("HALCYON ESTATES PLC", "seller"), ("Simon Dray", "representative"), ("Ruth Palmer-Lowe", "buyer")],
    ),
    "english_lease_labels": (
        "Landlord: Kestrel Lettings Ltd\nTenant: Maria Lopez Arroyo\nGuarantor: John Arroyo\n"
        "Property: 5 Hill View\n",
        [
            ("Kestrel Lettings Ltd", "landlord"),
            ("Maria Lopez Arroyo", "tenant"),
            ("John Arroyo", "guarantor"),
        ],
    ),
    "english_claim": (
        "IN THE COUNTY COURT AT LEEDS\nBETWEEN:\nMrs Joan Ellis\nClaimant\n-and-\nPennine Roofing "
        "Limited\nDefendant\n",
        [("Joan Ellis", "claimant"), ("Pennine Roofing Limited", "defendant")],
    ),
    "letter_before_claim": (
        "Dear Mr Harris,\nWe write on behalf of our client, Dalton Mills Limited, to demand payment "
        "of £4,300. Yours sincerely, Ann Boyd",
        [("Harris", "addressee")],
    ),
    "label_for_two": (
        "THE LANDLORD: Oakfield Homes Ltd\nTHE TENANTS: Mr Liam Ward and Ms Zoe Ward\n",
        [("Oakfield Homes Ltd", "landlord"), ("Liam Ward", "tenant"), ("Zoe Ward", "tenant")],
    ),
    "together_defined": (
        'This Lease is made between Oakfield Homes Ltd ("Landlord") and Liam Ward and Zoe Ward '
        '(together the "Tenants").',
        [("Oakfield Homes Ltd", "landlord"), ("Liam Ward", "tenant"), ("Zoe Ward", "tenant")],
    ),
    "managing_director": (
        "NON-DISCLOSURE AGREEMENT between ALPHA GMBH, represented by its managing director Dr. Hans "
        'Weber, and BETA B.V. (each a "Party")',
        [("ALPHA GMBH", None), ("Hans Weber", "representative"), ("BETA B.V.", None)],
    ),
    "deed": (
        'This Deed is made by Rowan Hill Limited (Company No. [UK_CRN_1]) (the "Guarantor") in '
        'favour of Barton Bank plc (the "Lender").',
        [("Rowan Hill Limited", "guarantor"), ("Barton Bank plc", "lender")],
    ),
}
