import { lemma } from '../tokenise/lemma.ts';

/** Abbreviations that names of tables and columns use everywhere, and what questions say instead. */
const ABBREVIATIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    addr: 'address',
    amt: 'amount',
    avg: 'average',
    cat: 'category',
    cnt: 'count',
    ctry: 'country',
    cust: 'customer',
    dept: 'department',
    desc: 'description',
    dest: 'destination',
    dob: 'birth date',
    dt: 'date',
    emp: 'employee',
    fname: 'first name',
    lname: 'last name',
    mname: 'middle name',
    firstname: 'first name',
    lastname: 'last name',
    fullname: 'full name',
    init: 'initial',
    lang: 'language',
    loc: 'location',
    max: 'maximum',
    mgr: 'manager',
    min: 'minimum',
    nbr: 'number',
    no: 'number',
    num: 'number',
    org: 'organization',
    pct: 'percentage',
    pop: 'population',
    prod: 'product',
    prof: 'professor',
    qty: 'quantity',
    ref: 'reference',
    sal: 'salary',
    src: 'source',
    stu: 'student',
    tel: 'telephone',
    temp: 'temperature',
    yr: 'year',
    wt: 'weight',
    ht: 'height',
    tx: 'transaction',
    txn: 'transaction',
    acct: 'account',
    mpg: 'miles per gallon',
    abbrev: 'abbreviation',
    alt: 'altitude',
    lat: 'latitude',
    lon: 'longitude',
    lng: 'longitude',
    hrs: 'hours',
    cd: 'code',
    dlv: 'delivery',
    flg: 'flag',
    grp: 'group',
    hrly: 'hourly',
    inv: 'invoice',
    meth: 'method',
    mth: 'month',
    nm: 'name',
    ord: 'order',
    pmt: 'payment',
    prc: 'price',
    stat: 'status',
    tot: 'total',
    ttl: 'title',
    whse: 'warehouse',
  }),
);

/** The words of a name with abbreviations written out; the same list when there are none. */
export function expandAbbreviations(parts: readonly string[]): readonly string[] {
  const joined = joinInitials(parts);
  if (joined === parts && !parts.some((part) => ABBREVIATIONS.has(part))) return parts;
  return joined.flatMap((part) => ABBREVIATIONS.get(part)?.split(' ') ?? [part]);
}

/** `LName` was split into "l" and "name". */
function joinInitials(parts: readonly string[]): readonly string[] {
  const place = parts.findIndex((part, at) => /^[flm]$/u.test(part) && parts[at + 1] === 'name');
  return place < 0 ? parts : [...parts.slice(0, place), `${parts[place]}name`, ...parts.slice(place + 2)];
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(' ').map(lemma));

/** Words in names of relations that questions leave out. */
export const RELATION_NOISE = set(
  'ref tbl table dim fact lookup lkp vw view stg staging raw master list info data details',
);

/** Endings of attribute names that questions may leave out: "country" for `country_name`. */
export const GENERIC_ENDINGS = set('name code id no number num title description desc yn flag date key type');

/** Units behind the name of a measure: "height" for `height_cm`. */
export const UNIT_ENDINGS = set(
  'cm mm km m kg g lb lbs ft usd eur gbp pct percent percentage ms millisecond milliseconds sec seconds mins minutes hours hrs days years mb gb kb celsius fahrenheit sqkm sqm cents dollars',
);

/** Words inside names that are dropped before comparing. */
export const LINKING_WORDS: ReadonlySet<string> = new Set(['of', 'the', 'a', 'an', 'for']);

/** A measure by its name, even where the engine calls its type text. */
export const MEASURE_NOUNS = set(
  'age weight height price cost amount quantity rating score length duration size area population capacity salary income speed rank ranking point percentage rate share number count total budget distance volume width depth horsepower mileage revenue profit sale bonus fee viewer attendance',
);

/** Names of attributes that hold the text people know an entity by, best first. */
export const DISPLAY_NAMES: readonly string[] = ['name', 'title', '=', 'full name', 'label', 'display name', 'company'];

/** Among {@link DISPLAY_NAMES}: an attribute that is named like its relation (`airlines.airline`). */
export const SAME_AS_RELATION = '=';
