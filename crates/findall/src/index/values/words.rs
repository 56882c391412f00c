//! Words that values are made of, in small letters unless they are written otherwise: months, currencies, units, and
//! what stands before or after a number and says what it is. English, German, French, Spanish, Italian, Dutch and some
//! of their neighbours.

/// English and German names, which start with a capital letter.
#[rustfmt::skip]
pub(super) const CAPITAL_MONTHS: &[&str] = &[
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov",
    "dec", "januar", "februar", "märz", "mai", "juni", "juli", "oktober", "dezember", "jänner", "mär", "okt",
    "dez",
];

/// French, Spanish, Italian, Dutch and Portuguese names, in small letters.
#[rustfmt::skip]
pub(super) const SMALL_MONTHS: &[&str] = &[
    "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre",
    "novembre", "décembre", "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto",
    "septiembre", "octubre", "noviembre", "diciembre", "gennaio", "febbraio", "aprile", "maggio", "giugno",
    "luglio", "settembre", "ottobre", "dicembre", "januari", "februari", "maart", "april", "mei", "juni",
    "juli", "augustus", "september", "oktober", "november", "december", "janeiro", "fevereiro", "março",
    "maio", "junho", "julho", "setembro", "outubro", "novembro", "dezembro",
];

/// Months whose names are names or words, too: alone they count after a word of time only.
#[rustfmt::skip]
pub(super) const ALSO_WORDS: &[&str] = &[
    "march", "april", "may", "june", "august", "jan", "mar", "jun", "jul", "aug", "sep", "dec", "nov", "oct",
    "feb", "apr", "sept", "mai", "mär", "okt", "dez",
];

/// Words of time before a month.
#[rustfmt::skip]
pub(super) const BEFORE_MONTH: &[&str] = &[
    "in", "since", "until", "till", "by", "during", "last", "next", "early", "late", "mid", "every", "this",
    "each", "im", "seit", "ab", "anfang", "ende", "mitte", "from", "through",
];

/// Words before a number that make it a year, however early.
#[rustfmt::skip]
pub(super) const BEFORE_YEAR: &[&str] = &[
    "in", "since", "by", "until", "till", "from", "before", "after", "during", "circa", "ca", "c", "early",
    "late", "mid", "year", "years", "born", "died", "founded", "established", "est", "copyright", "©",
    "summer", "winter", "spring", "autumn", "fall", "im", "jahr", "jahre", "seit", "ab", "bis", "von", "um",
    "vor", "nach", "en", "depuis", "année", "desde", "hasta", "año", "nel", "dal", "anno", "sinds", "sommer",
    "frühjahr", "herbst",
];

/// Words before a number that make it no year.
#[rustfmt::skip]
pub(super) const NO_YEAR_AFTER: &[&str] = &[
    "page", "pages", "p", "pp", "no", "nr", "number", "room", "route", "model", "chapter", "section", "level",
    "version", "port", "error", "code", "flight", "over", "about", "some", "nearly", "almost",
    "approximately", "than", "least", "most", "up", "line", "article", "building", "suite", "box", "highway",
    "zip", "plz", "seite", "postfach", "rund", "etwa", "über", "fast", "mehr", "als", "windows", "item",
    "order", "id", "ref", "isbn", "roughly", "around", "exactly", "página", "pagina", "sida", "side", "only",
    "every",
];

/// Words after a number that count something.
#[rustfmt::skip]
pub(super) const COUNTED: &[&str] = &[
    "people", "men", "women", "children", "cases", "students", "members", "words", "pages", "copies", "votes",
    "seats", "points", "years", "days", "hours", "minutes", "seconds", "weeks", "months", "soldiers",
    "employees", "workers", "homes", "houses", "users", "customers", "residents", "inhabitants", "times",
    "calories", "items", "units", "visitors", "guests", "species", "rooms", "characters", "lines", "steps",
    "books", "cars", "ships", "troops", "jobs", "deaths", "patients", "participants", "subscribers",
    "followers", "titles", "tickets", "trees", "menschen", "personen", "einwohner", "seiten", "jahre", "tage",
    "stunden", "zeichen", "personnes", "habitants", "ans", "jours", "personas", "habitantes", "años", "watt",
    "percent", "per", "more", "others", "different", "personer", "persone",
];

/// Currencies as they are written.
#[rustfmt::skip]
pub(super) const CODES: &[&str] = &[
    "USD", "EUR", "GBP", "JPY", "CHF", "CNY", "INR", "CAD", "AUD", "NZD", "SEK", "NOK", "DKK", "PLN", "CZK",
    "HUF", "BRL", "MXN", "RUB", "KRW", "TRY", "ZAR", "Rs", "Fr", "kr", "Kč", "zł", "Ft", "US", "SFr",
];

/// Names of currencies.
#[rustfmt::skip]
pub(super) const CURRENCIES: &[&str] = &[
    "dollar", "dollars", "euro", "euros", "pound", "pounds", "yen", "yuan", "cent", "cents", "franc",
    "francs", "franken", "rupees", "rupee", "pesos", "peso", "krone", "kroner", "kronor", "rubles", "roubles",
    "zloty", "dólares", "dollari",
];

/// How large a number is.
#[rustfmt::skip]
pub(super) const SCALES: &[&str] = &[
    "hundred", "thousand", "million", "millions", "billion", "billions", "trillion", "mio", "mrd",
    "millionen", "milliarden", "milliarde", "milliards", "tausend", "tsd", "mille", "millones", "mil",
    "milioni", "miliardi",
];

/// The same, right after an amount.
#[rustfmt::skip]
pub(super) const SHORT_SCALES: &[&str] = &[
    "m", "bn", "k", "mn", "tn", "mm",
];

/// Units as they are written; the first character after the number or a blank.
#[rustfmt::skip]
pub(super) const UNITS: &[&str] = &[
    "km", "m", "cm", "mm", "µm", "μm", "nm", "mi", "ft", "yd", "kg", "g", "mg", "µg", "t", "lb", "lbs", "oz",
    "l", "L", "ml", "mL", "cl", "dl", "hl", "kB", "KB", "MB", "GB", "TB", "PB", "Hz", "kHz", "MHz", "GHz",
    "W", "kW", "MW", "GW", "kWh", "MWh", "GWh", "TWh", "Wh", "V", "kV", "mV", "mA", "mAh", "Ah", "mph", "kph",
    "ha", "px", "ms", "µs", "ns", "min", "h", "s", "kcal", "kJ", "J", "hPa", "Pa", "bar", "psi", "dB", "lm",
    "PS", "hp", "rpm", "fps", "dpi", "kbps", "Mbps", "Gbps", "Mbit", "Gbit", "mol", "N", "Nm", "kN",
    "sqm", "qm", "cc",
];

/// Units in words.
#[rustfmt::skip]
pub(super) const UNIT_WORDS: &[&str] = &[
    "mile", "miles", "foot", "feet", "inch", "inches", "yard", "yards", "metre", "metres", "meter", "meters",
    "mètre", "mètres", "metro", "metros", "kilometre", "kilometres", "kilometer", "kilometers", "kilomètres",
    "kilómetros", "centimetre", "centimetres", "centimeter", "centimeters", "millimetre", "millimetres",
    "millimeter", "millimeters", "gram", "grams", "gramm", "grammes", "gramos", "kilogram", "kilograms",
    "kilogramm", "kilo", "kilos", "ton", "tons", "tonne", "tonnes", "tonnen", "ounce", "ounces", "litre",
    "litres", "liter", "liters", "litros", "gallon", "gallons", "acre", "acres", "hectare", "hectares",
    "hektar", "watt", "watts", "kilowatt", "kilowatts", "megawatts", "volt", "volts", "calories", "degrees",
    "second", "seconds", "sekunden", "secondes", "segundos", "minute", "minutes", "minuten", "minutos",
    "hour", "hours", "stunden", "heures", "horas", "bytes", "bits", "gigabytes", "megabytes", "pixel",
    "pixels", "knots", "decibels",
];

/// Endings of addresses that are written without a scheme. Few, because files and sentences have dots, too.
#[rustfmt::skip]
pub(super) const ENDINGS: &[&str] = &[
    "com", "org", "net", "edu", "gov", "info", "io", "dev", "app", "eu", "de", "at", "ch", "fr", "uk", "es",
    "it", "nl", "be", "pl", "cz", "se", "dk", "fi", "pt", "ca", "au", "jp", "cn", "br",
];

/// Words that announce a telephone number.
#[rustfmt::skip]
pub(super) const PHONE_WORDS: &[&str] = &[
    "tel", "telephone", "phone", "fax", "call", "mobile", "cell", "text", "telefon", "telefax", "handy",
    "mobil", "tél", "téléphone", "teléfono", "telefono", "telefoon",
];
