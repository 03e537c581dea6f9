import { phraseTable } from './phrase-table.ts';

/** What an adjective measures: words of attribute names, tried in order, and which end of the scale it means. */
export interface Dimension {
  readonly word: string;
  readonly scales: readonly Scale[];
}

export interface Scale {
  /** Words of an attribute's name, for example `unit price`. */
  readonly noun: string;
  /** `high`: the adjective means great values ("older" of ages); `low`: small ones ("older" of birth dates). */
  readonly end: 'high' | 'low';
  /** `time`: the attribute must be a date, a time or a year. */
  readonly kind: 'measure' | 'time';
}

const measures = (end: Scale['end'], nouns: string): Scale[] =>
  nouns.split('|').map((noun) => ({ noun, end, kind: 'measure' }));
const times = (end: Scale['end'], nouns: string): Scale[] =>
  nouns.split('|').map((noun) => ({ noun, end, kind: 'time' }));
const flip = (scales: readonly Scale[]): Scale[] =>
  scales.map((scale) => ({ ...scale, end: scale.end === 'high' ? 'low' : 'high' }));

const BIRTH = 'birth date|birthday|birth year|birth|dob|born';
const BEGINNINGS =
  'founded|founding date|founding year|foundation|established|built|opened|opening year|opening date|construction year|created|release date|released|release year';
const MOMENTS = `date|time|year|timestamp|created|created at|ordered at|placed at|${BEGINNINGS}`;

const OLD = [...measures('high', 'age'), ...times('low', BIRTH), ...times('low', BEGINNINGS)];
const NEW = times('high', MOMENTS);
const TALL = measures('high', 'height|altitude|elevation');
const LONG = measures('high', 'length|duration|distance|running time|runtime|millisecond|second|minute');
const HEAVY = measures('high', 'weight|mass');
const LARGE = measures('high', 'size|area|surface area|population|capacity|volume|total amount|total|amount');
const EXPENSIVE = measures('high', 'price|cost|fee|unit price|list price|charge|rate|tuition|fare|charge amount');
const FAST = measures('high', 'speed|velocity|top speed');
const HOT = measures('high', 'temperature');
const DEEP = measures('high', 'depth');
const WIDE = measures('high', 'width');
const GOOD = measures('high', 'rating|score');
const POPULOUS = measures('high', 'population');
const PAID = measures('high', 'salary|wage|pay|income');

const ADJECTIVES: readonly (readonly [scales: readonly Scale[], comparative: string, superlative: string])[] = [
  [OLD, 'older|elder|more senior', 'oldest|eldest|most senior'],
  [flip(OLD), 'younger', 'youngest'],
  [NEW, 'newer|more recent', 'newest|most recent|latest|most recently'],
  [flip(NEW), '', 'earliest|least recent'],
  [TALL, 'taller', 'tallest'],
  [LONG, 'longer', 'longest'],
  [[...flip(LONG), ...flip(TALL)], 'shorter', 'shortest'],
  [HEAVY, 'heavier', 'heaviest'],
  [flip(HEAVY), 'lighter', 'lightest'],
  [LARGE, 'larger|bigger', 'largest|biggest'],
  [flip(LARGE), 'smaller', 'smallest'],
  [TALL, '', 'highest'],
  [EXPENSIVE, 'more expensive|costlier|pricier|more costly', 'most expensive|costliest|priciest|most costly|dearest'],
  [flip(EXPENSIVE), 'cheaper|less expensive|less costly', 'cheapest|least expensive|least costly'],
  [FAST, 'faster|quicker', 'fastest|quickest'],
  [flip(FAST), 'slower', 'slowest'],
  [HOT, 'hotter|warmer', 'hottest|warmest'],
  [flip(HOT), 'colder|cooler', 'coldest|coolest'],
  [DEEP, 'deeper', 'deepest'],
  [flip(DEEP), 'shallower', 'shallowest'],
  [WIDE, 'wider', 'widest'],
  [flip(WIDE), 'narrower', 'narrowest'],
  [GOOD, '', 'best rated|highest rated|top rated|best|highest scoring'],
  [flip(GOOD), '', 'worst rated|lowest rated|worst|lowest scoring'],
  [POPULOUS, 'more populous', 'most populous|most populated'],
  [flip(POPULOUS), 'less populous', 'least populous|least populated'],
  [PAID, 'better paid', 'highest paid|best paid|highest earning'],
  [flip(PAID), 'worse paid', 'lowest paid|worst paid'],
];

const entries = (place: 1 | 2): (readonly [string, Dimension])[] =>
  ADJECTIVES.flatMap((adjective) =>
    adjective[place]
      .split('|')
      .filter((word) => word !== '')
      .map((word) => [word, { word, scales: adjective[0] }] as const),
  );

/** "older", in front of "than". */
export const COMPARATIVES = phraseTable<Dimension>(entries(1));

/** "oldest", in front of what is meant, or behind "the". */
export const SUPERLATIVES = phraseTable<Dimension>(entries(2));

/** "highest" and its like, which need the attribute named: which end of it is meant. */
export const GENERIC_SUPERLATIVES = phraseTable<'high' | 'low'>([
  ...'highest|largest|greatest|biggest|maximum|max|most|longest|top|best|latest|most recent|oldest|tallest|heaviest|newest'
    .split('|')
    .map((word) => [word, 'high'] as const),
  ...'lowest|smallest|least|minimum|min|fewest|shortest|earliest|youngest|lightest'
    .split('|')
    .map((word) => [word, 'low'] as const),
]);

/** "most common": how often a value occurs. */
export const COMMON = phraseTable<'high' | 'low'>([
  ...'most common|most frequent|commonest|most frequently used|most commonly used|most used'
    .split('|')
    .map((word) => [word, 'high'] as const),
  ...'least common|least frequent|rarest|least used|least frequently used'
    .split('|')
    .map((word) => [word, 'low'] as const),
]);

/** "used most often". */
export const OFTEN = phraseTable<'high' | 'low'>([
  ...'most often|most frequently|the most often|most commonly|the most frequently|the most'
    .split('|')
    .map((word) => [word, 'high'] as const),
  ...'least often|least frequently|the least often|most rarely|the least'
    .split('|')
    .map((word) => [word, 'low'] as const),
]);

/** Plain adjectives of questions like "how old is …". */
export const HOW_ADJECTIVES = phraseTable<Dimension>([
  ['old', { word: 'old', scales: measures('high', 'age') }],
  ['tall', { word: 'tall', scales: TALL }],
  ['high', { word: 'high', scales: TALL }],
  ['long', { word: 'long', scales: LONG }],
  ['heavy', { word: 'heavy', scales: HEAVY }],
  ['large', { word: 'large', scales: LARGE }],
  ['big', { word: 'big', scales: LARGE }],
  ['expensive', { word: 'expensive', scales: EXPENSIVE }],
  ['fast', { word: 'fast', scales: FAST }],
  ['deep', { word: 'deep', scales: DEEP }],
]);
