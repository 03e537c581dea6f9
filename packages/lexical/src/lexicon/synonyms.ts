import { lemma } from '../tokenise/lemma.ts';

/** Groups of nouns that people use for one another; general English, nothing of any database. Lemmas. */
const GROUPS: readonly string[] = [
  'nation country',
  'state province',
  'car vehicle automobile',
  'film movie',
  'job occupation profession position',
  'salary wage pay',
  'price cost',
  'client customer',
  'worker employee staff',
  'pupil student',
  'instructor teacher lecturer',
  'phone telephone',
  'cellphone cell mobile',
  'mail email',
  'surname lastname',
  'forename firstname',
  'sex gender',
  'town city',
  'picture photo image',
  'song track',
  'singer vocalist',
  'writer author',
  'company firm business',
  'shop store',
  'purchase order',
  'good product item article',
  'kind type category',
  'grade mark score',
  'test exam examination',
  'club society',
  'zip postcode',
  'postal zip',
  'color colour',
  'centre center',
  'date day',
  'begin start',
  'finish end',
  'aim goal',
  'length duration',
  'birthday birthdate',
  'identifier id',
  'manufacturer maker',
  'rank ranking position',
  'locale location place',
  'airplane aircraft plane',
  'degree diploma',
  'text content',
  'comment remark note',
  'region area',
  'physician doctor',
  'flat apartment',
  'seat place',
  'warehouse depot',
  'branch office',
  'team squad',
  'match game',
  'journey trip',
  'bill invoice',
  'supplier vendor',
  'supervisor manager boss',
  'head leader',
  'stock inventory',
];

const SYNONYMS: ReadonlyMap<string, readonly string[]> = buildSynonyms();

function buildSynonyms(): Map<string, string[]> {
  const map = new Map<string, string[]>();
  for (const group of GROUPS) {
    const words = group.split(' ').map(lemma);
    for (const word of words) {
      const others = words.filter((other) => other !== word);
      map.set(word, [...new Set([...(map.get(word) ?? []), ...others])]);
    }
  }
  return map;
}

/** Lemmas that may stand for this lemma in a name. */
export function synonymsOf(word: string): readonly string[] {
  return SYNONYMS.get(word) ?? [];
}

/** Phrases that mean the same thing, as words of questions and of names. */
const WORDINGS: readonly (readonly string[])[] = [
  ['zip code', 'zip', 'zipcode', 'postcode', 'postal code', 'post code'],
  [
    'mobile phone number',
    'cell phone number',
    'cell number',
    'mobile number',
    'cell phone',
    'mobile phone',
    'cell',
    'mobile',
    'cellphone',
  ],
  ['phone number', 'phone', 'telephone', 'telephone number'],
  ['email address', 'email', 'e mail'],
  ['first name', 'given name', 'forename'],
  ['last name', 'family name', 'surname'],
  ['date of birth', 'birth date', 'birthday', 'birthdate', 'dob'],
  ['full name', 'complete name'],
  ['life expectancy', 'expected life'],
  ['street address', 'street'],
  ['home country', 'country of origin'],
];

const WORDINGS_BY_PHRASE: ReadonlyMap<string, readonly (readonly string[])[]> = buildWordings();
const WORDING_WORDS: ReadonlyMap<string, readonly string[]> = buildWordingWords();

function content(phrase: string): readonly string[] {
  return phrase
    .split(' ')
    .filter((word) => word !== 'of')
    .map(lemma);
}

function buildWordings(): Map<string, readonly (readonly string[])[]> {
  const map = new Map<string, readonly (readonly string[])[]>();
  for (const group of WORDINGS) {
    for (const phrase of group)
      map.set(content(phrase).join(' '), group.filter((other) => other !== phrase).map(content));
  }
  return map;
}

function buildWordingWords(): Map<string, readonly string[]> {
  const map = new Map<string, readonly string[]>();
  for (const group of WORDINGS) {
    const words = [...new Set(group.flatMap(content))].filter(
      (word) => !['number', 'name', 'code', 'address', 'date'].includes(word),
    );
    for (const word of words) map.set(word, [...(map.get(word) ?? []), ...words]);
  }
  return map;
}

/** Other ways to say a whole phrase: "postcode" for "zip code". Lemmas. */
export function otherWordings(words: readonly string[]): readonly (readonly string[])[] {
  return WORDINGS_BY_PHRASE.get(words.join(' ')) ?? [];
}

/** Words of names that a phrase with this word may be about. */
export function wordingWords(word: string): readonly string[] {
  return WORDING_WORDS.get(word) ?? [];
}

/** Nouns that name the role of what stands behind a verb: one departs from a source. */
const VERB_NOUNS: readonly (readonly [verbs: string, nouns: string])[] = [
  ['depart departs departed departing leave leaves left leaving originate originates', 'source origin departure'],
  ['arrive arrives arrived arriving land lands landed landing go goes going head headed', 'destination dest arrival'],
  ['born', 'birth birthplace'],
  ['place places placed placing', 'placed ordered order'],
  ['buy buys bought buying purchase purchases purchased purchasing', 'purchase order sale invoice transaction'],
  ['sell sells sold selling', 'sale order invoice transaction sold'],
  ['sing sings sang sung', 'singer'],
  ['prescribe prescribes prescribed', 'prescription'],
  ['subscribe subscribes subscribed', 'subscription'],
  ['deliver delivers delivered', 'delivery delivered'],
  ['founded established', 'founding foundation founded'],
  ['borrow borrows borrowed borrowing lend lends lent lending', 'loan rental borrowing checkout lending'],
  ['rent rents rented renting lease leases leased leasing', 'rental lease hire booking contract'],
  ['reserve reserves reserved reserving', 'reservation booking'],
  ['enrol enrols enrolled enrolling enroll enrolls', 'enrolment enrollment registration'],
  ['attend attends attended attending', 'attendance participation'],
  ['treat treats treated treating', 'treatment visit appointment'],
  ['register registers registered registering join joins joined', 'registration joined registered signup'],
  ['earn earns earned earning', 'earning'],
  ['waste wasted wasting', 'waste'],
  ['pay pays paid paying', 'payment'],
  ['show shows showed shown showing screened', 'showing screening show'],
];

const NOUNS_OF_VERBS: ReadonlyMap<string, readonly string[]> = new Map(
  VERB_NOUNS.flatMap(([verbs, nouns]) => verbs.split(' ').map((verb) => [verb, nouns.split(' ').map(lemma)] as const)),
);

const SIGNED_UP: readonly string[] = 'signup registered registration joined created'.split(' ').map(lemma);

/** Lemmas of nouns that name the role of what a verb goes with. */
export function verbNouns(verb: string): readonly string[] {
  return verb === 'sign up' ? SIGNED_UP : (NOUNS_OF_VERBS.get(verb) ?? []);
}
