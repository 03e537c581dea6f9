/**
 * States of the USA with their postal codes (USPS Publication 28, appendix B) and territories; then provinces of
 * Canada.
 */
export const STATES = `
Alabama|AL
Alaska|AK
Arizona|AZ
Arkansas|AR
California|CA
Colorado|CO
Connecticut|CT
Delaware|DE
District of Columbia|DC|Washington DC
Florida|FL
Georgia|GA
Hawaii|HI
Idaho|ID
Illinois|IL
Indiana|IN
Iowa|IA
Kansas|KS
Kentucky|KY
Louisiana|LA
Maine|ME
Maryland|MD
Massachusetts|MA
Michigan|MI
Minnesota|MN
Mississippi|MS
Missouri|MO
Montana|MT
Nebraska|NE
Nevada|NV
New Hampshire|NH
New Jersey|NJ
New Mexico|NM
New York|NY
North Carolina|NC
North Dakota|ND
Ohio|OH
Oklahoma|OK
Oregon|OR
Pennsylvania|PA
Rhode Island|RI
South Carolina|SC
South Dakota|SD
Tennessee|TN
Texas|TX
Utah|UT
Vermont|VT
Virginia|VA
Washington|WA
West Virginia|WV
Wisconsin|WI
Wyoming|WY
Puerto Rico|PR
Guam|GU
Alberta|AB
British Columbia|BC
Manitoba|MB
New Brunswick|NB
Newfoundland and Labrador|NL
Nova Scotia|NS
Ontario|ON
Prince Edward Island|PE
Quebec|QC
Saskatchewan|SK
`;

/** Countries: names, ISO 3166-1 alpha-2 and alpha-3 codes, adjectives. */
export const COUNTRIES = `
Afghanistan|AF|AFG|Afghan
Albania|AL|ALB|Albanian
Algeria|DZ|DZA|Algerian
Andorra|AD|AND|Andorran
Angola|AO|AGO|Angolan
Argentina|AR|ARG|Argentine|Argentinian
Armenia|AM|ARM|Armenian
Australia|AU|AUS|Australian
Austria|AT|AUT|Austrian
Azerbaijan|AZ|AZE|Azerbaijani
Bahamas|The Bahamas|BS|BHS|Bahamian
Bahrain|BH|BHR|Bahraini
Bangladesh|BD|BGD|Bangladeshi
Barbados|BB|BRB|Barbadian
Belarus|BY|BLR|Belarusian
Belgium|BE|BEL|Belgian
Belize|BZ|BLZ|Belizean
Benin|BJ|BEN|Beninese
Bhutan|BT|BTN|Bhutanese
Bolivia|BO|BOL|Bolivian
Bosnia and Herzegovina|Bosnia|BA|BIH|Bosnian
Botswana|BW|BWA
Brazil|BR|BRA|Brazilian|Brasil
Brunei|BN|BRN|Bruneian
Bulgaria|BG|BGR|Bulgarian
Burkina Faso|BF|BFA
Burundi|BI|BDI|Burundian
Cambodia|KH|KHM|Cambodian
Cameroon|CM|CMR|Cameroonian
Canada|CA|CAN|Canadian
Cape Verde|Cabo Verde|CV|CPV
Central African Republic|CF|CAF
Chad|TD|TCD|Chadian
Chile|CL|CHL|Chilean
China|CN|CHN|Chinese|PRC|Peoples Republic of China
Colombia|CO|COL|Colombian
Congo|CG|COG|Congolese
Democratic Republic of the Congo|DR Congo|DRC|CD|COD|Congolese
Costa Rica|CR|CRI|Costa Rican
Croatia|HR|HRV|Croatian
Cuba|CU|CUB|Cuban
Cyprus|CY|CYP|Cypriot
Czech Republic|Czechia|CZ|CZE|Czech
Denmark|DK|DNK|Danish|Dane
Djibouti|DJ|DJI
Dominica|DM|DMA
Dominican Republic|DO|DOM|Dominican
Ecuador|EC|ECU|Ecuadorian
Egypt|EG|EGY|Egyptian
El Salvador|SV|SLV|Salvadoran
Equatorial Guinea|GQ|GNQ
Eritrea|ER|ERI|Eritrean
Estonia|EE|EST|Estonian
Eswatini|Swaziland|SZ|SWZ|Swazi
Ethiopia|ET|ETH|Ethiopian
Fiji|FJ|FJI|Fijian
Finland|FI|FIN|Finnish|Finn
France|FR|FRA|French
Gabon|GA|GAB|Gabonese
Gambia|The Gambia|GM|GMB|Gambian
Georgia|GE|GEO|Georgian
Germany|DE|DEU|GER|German|Deutschland
Ghana|GH|GHA|Ghanaian
Greece|GR|GRC|Greek
Grenada|GD|GRD|Grenadian
Guatemala|GT|GTM|Guatemalan
Guinea|GN|GIN|Guinean
Guyana|GY|GUY|Guyanese
Haiti|HT|HTI|Haitian
Honduras|HN|HND|Honduran
Hong Kong|HK|HKG
Hungary|HU|HUN|Hungarian
Iceland|IS|ISL|Icelandic
India|IN|IND|Indian
Indonesia|ID|IDN|Indonesian
Iran|IR|IRN|Iranian|Persian
Iraq|IQ|IRQ|Iraqi
Ireland|IE|IRL|Irish
Israel|IL|ISR|Israeli
Italy|IT|ITA|Italian
Ivory Coast|Cote dIvoire|CI|CIV|Ivorian
Jamaica|JM|JAM|Jamaican
Japan|JP|JPN|Japanese
Jordan|JO|JOR|Jordanian
Kazakhstan|KZ|KAZ|Kazakh
Kenya|KE|KEN|Kenyan
Kuwait|KW|KWT|Kuwaiti
Kyrgyzstan|KG|KGZ|Kyrgyz
Laos|LA|LAO|Laotian
Latvia|LV|LVA|Latvian
Lebanon|LB|LBN|Lebanese
Lesotho|LS|LSO
Liberia|LR|LBR|Liberian
Libya|LY|LBY|Libyan
Liechtenstein|LI|LIE
Lithuania|LT|LTU|Lithuanian
Luxembourg|LU|LUX
Madagascar|MG|MDG|Malagasy
Malawi|MW|MWI|Malawian
Malaysia|MY|MYS|Malaysian
Maldives|MV|MDV|Maldivian
Mali|ML|MLI|Malian
Malta|MT|MLT|Maltese
Mauritania|MR|MRT|Mauritanian
Mauritius|MU|MUS|Mauritian
Mexico|MX|MEX|Mexican
Moldova|MD|MDA|Moldovan
Monaco|MC|MCO|Monegasque
Mongolia|MN|MNG|Mongolian
Montenegro|ME|MNE|Montenegrin
Morocco|MA|MAR|Moroccan
Mozambique|MZ|MOZ|Mozambican
Myanmar|Burma|MM|MMR|Burmese
Namibia|NA|NAM|Namibian
Nepal|NP|NPL|Nepalese|Nepali
Netherlands|The Netherlands|Holland|NL|NLD|NED|Dutch
New Zealand|NZ|NZL|New Zealander
Nicaragua|NI|NIC|Nicaraguan
Niger|NE|NER|Nigerien
Nigeria|NG|NGA|Nigerian
North Korea|KP|PRK|North Korean
North Macedonia|Macedonia|MK|MKD|Macedonian
Norway|NO|NOR|Norwegian
Oman|OM|OMN|Omani
Pakistan|PK|PAK|Pakistani
Panama|PA|PAN|Panamanian
Papua New Guinea|PG|PNG
Paraguay|PY|PRY|Paraguayan
Peru|PE|PER|Peruvian
Philippines|The Philippines|PH|PHL|Philippine|Filipino
Poland|PL|POL|Polish
Portugal|PT|PRT|POR|Portuguese
Qatar|QA|QAT|Qatari
Romania|RO|ROU|Romanian
Russia|Russian Federation|RU|RUS|Russian
Rwanda|RW|RWA|Rwandan
Samoa|WS|WSM|Samoan
San Marino|SM|SMR
Saudi Arabia|SA|SAU|KSA|Saudi|Saudi Arabian
Senegal|SN|SEN|Senegalese
Serbia|RS|SRB|Serbian
Seychelles|SC|SYC
Sierra Leone|SL|SLE
Singapore|SG|SGP|Singaporean
Slovakia|SK|SVK|Slovak
Slovenia|SI|SVN|Slovenian|Slovene
Somalia|SO|SOM|Somali
South Africa|ZA|ZAF|RSA|South African
South Korea|Republic of Korea|Korea|KR|KOR|South Korean|Korean
South Sudan|SS|SSD
Spain|ES|ESP|Spanish
Sri Lanka|LK|LKA|Sri Lankan
Sudan|SD|SDN|Sudanese
Suriname|SR|SUR|Surinamese
Sweden|SE|SWE|Swedish|Swede
Switzerland|CH|CHE|SUI|Swiss
Syria|SY|SYR|Syrian
Taiwan|TW|TWN|Taiwanese
Tajikistan|TJ|TJK|Tajik
Tanzania|TZ|TZA|Tanzanian
Thailand|TH|THA|Thai
Togo|TG|TGO|Togolese
Trinidad and Tobago|TT|TTO|Trinidadian
Tunisia|TN|TUN|Tunisian
Turkey|Turkiye|TR|TUR|Turkish
Turkmenistan|TM|TKM|Turkmen
Uganda|UG|UGA|Ugandan
Ukraine|UA|UKR|Ukrainian
United Arab Emirates|UAE|AE|ARE|Emirati
United Kingdom|UK|GB|GBR|Great Britain|Britain|British
United States|United States of America|USA|US|America|American
Uruguay|UY|URY|Uruguayan
Uzbekistan|UZ|UZB|Uzbek
Vatican City|Vatican|Holy See|VA|VAT
Venezuela|VE|VEN|Venezuelan
Vietnam|Viet Nam|VN|VNM|Vietnamese
Yemen|YE|YEM|Yemeni
Zambia|ZM|ZMB|Zambian
Zimbabwe|ZW|ZWE|Zimbabwean
England|English
Scotland|Scottish
Wales|Welsh
`;

/**
 * Sexes, yes and no, months, days, and words that are commonly shortened to letters that are no beginning of theirs.
 */
export const OTHER_EQUIVALENTS = `
female|F|woman|women|girl
male|M|man|men|boy
yes|Y|true|T|1
no|N|false|F|0
January|Jan
February|Feb
March|Mar
April|Apr
June|Jun
July|Jul
August|Aug
September|Sep|Sept
October|Oct
November|Nov
December|Dec
Monday|Mon
Tuesday|Tue|Tues
Wednesday|Wed
Thursday|Thu|Thur|Thurs
Friday|Fri
Saturday|Sat
Sunday|Sun
Doctor of Philosophy|PhD|doctorate|doctoral
Bachelor of Science|BS|BSc
Bachelor of Arts|BA
Master of Science|MS|MSc
Master of Arts|MA
Master of Business Administration|MBA
Doctor of Medicine|MD
Street|St
Saint|St
Avenue|Ave|Av
Boulevard|Blvd
Road|Rd
Highway|Hwy
Fort|Ft
Mount|Mt
Number|No|Nr
Company|Co
Corporation|Corp
Incorporated|Inc
Limited|Ltd
Department|Dept
Management|Mgmt|Mgt
Government|Govt
Association|Assn|Assoc
International|Intl
Junior|Jr
Senior|Sr
Television|TV
University|Univ
Kilogram|kg
Kilometre|Kilometer|km
`;
