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
  'quantity amount',
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
  'review rating',
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
