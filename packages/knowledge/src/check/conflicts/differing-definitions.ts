import { type Definition, isProcedure } from './definitions.ts';
import { type Meaning, meaningOf, overlap, without } from './meaning-words.ts';

const OPEN = 'given|specific|specified|selected|select|certain|recent|defined|designated|particular|unspecified|chosen';
const UNIT = String.raw`time\s?frame|date|days|time|month|week|year|quarter|period|duration|range|interval|window|span`;
const AT = 'over|for|in|within|during|on|at|after|before|since|by|across|from|throughout';
/** Times that are left open do not tell definitions apart: `over a given period`, `recently`. */
const OPEN_TIMES = [
  new RegExp(
    String.raw`\(?\b(?:${AT})\s+(?:(?:an?|the|any|some)\s+)?` +
      String.raw`(?:(?:${OPEN}|relevant|fixed|requested|stated)\s+(?:\w+\s+){0,2}?(?:${UNIT})` +
      String.raw`|(?:period|time\s?frame|duration|range|interval))` +
      String.raw`\b(?:\s+(?:of\s+)?(?:days|time|span|period|duration|range))?\)?`,
    'gi',
  ),
  /\b(?:recently|lately|currently)\b/gi,
  /\bwithout (?:specifying|defining|stating|naming)\b[^,.;]*/gi,
];
const ADDS =
  'with|where|which|focusing|considering|including|excluding|inclusive|expressed|assessing|using|based on|for|ordered';
/** What is added to a definition: `…, with rank 1 for the highest`. */
const ADDED = new RegExp(
  String.raw`[,;]\s*(?:${ADDS}|and \w+ing)\b.*$|\s+\((?:end|i\.?e|e\.?g|in )[^)]*\)|\bwith (?:non-null|different)\b.*$`,
  'is',
);

/** A formula in its operands, as far as prose names them. */
interface Formula {
  readonly minuend?: Meaning;
  readonly subtrahend?: Meaning;
  readonly numerator?: Meaning;
  readonly denominator?: Meaning;
  /** It is written with identifiers (`avg_close`), which shorten. */
  readonly isShortened: boolean;
}

/** A definition, read once for all comparisons. */
export interface ReadDefinition {
  readonly definition: Definition;
  readonly formula: Formula | undefined;
  /** Of the clause that says what it is; empty for a procedure. */
  readonly words: Meaning;
}

export function readDefinition(definition: Definition): ReadDefinition {
  const core = coreOf(definition.body);
  const formula = formulaOf(core);
  const isProse = formula === undefined && !isProcedure(definition.body);
  return { definition, formula, words: isProse ? meaningOf(core) : new Map() };
}

/**
 * Why two definitions of one term are not the same, or undefined. Formulas differ in an operand, or in the direction of
 * a difference. Words differ where each has some that the other lacks; one that only says more does not contradict.
 */
export function difference(a: ReadDefinition, b: ReadDefinition): string | undefined {
  const names = differentNames(a.definition, b.definition);
  if (names !== undefined) return names;
  if (a.formula !== undefined && b.formula !== undefined) return formulaDifference(a.formula, b.formula);
  // The words of a name are in both, written out or not.
  const named = [...a.definition.names, ...b.definition.names];
  const isNew = (word: string): boolean => !named.some((name) => name.has(word));
  const onlyA = without(a.words, b.words, isNew);
  const onlyB = without(b.words, a.words, isNew);
  if (onlyA.length === 0 || onlyB.length === 0) return undefined;
  return `only one says ${quoted(onlyA)}, only the other ${quoted(onlyB)}`;
}

/** One abbreviation of two things. */
function differentNames(a: Definition, b: Definition): string | undefined {
  for (const left of a.names)
    for (const right of b.names) {
      const [onlyLeft, onlyRight] = [without(left, right), without(right, left)];
      if (onlyLeft.length > 0 && onlyRight.length > 0)
        return `one stands for ${quoted([...left.values()])}, the other for ${quoted([...right.values()])}`;
    }
  return undefined;
}

/** The clause that says what it is. */
function coreOf(body: string): string {
  let core = body;
  for (const open of OPEN_TIMES) core = core.replace(open, ' ');
  return core.replace(ADDED, ' ').replace(/\s+/g, ' ').trim();
}

function formulaOf(text: string): Formula | undefined {
  const plain = text
    .replace(/\b(?:then |and )?(?:multipl\w+ by|times|expressed as) (?:100|a percentage)\b|[*×] ?100\b/gi, ' ')
    .replace(/[()[\]]/g, ' ')
    .replace(/\s+/g, ' ');
  const subtract = /\bsubtract (.+?) from (.+?)(?=,|;| then\b| and divid| divid|$)/i.exec(plain);
  const minus = /(?:^|=\s*)([^=]+?) (?:-|−|minus) ([^=]+?)(?=\/|,| divided| over |$)/i.exec(plain);
  const between = /\bdifference between (.+?) and (.+?)(?=,|;|$)/i.exec(plain);
  const divided =
    /\bdivide (?!by\b)(.+?) by (.+?)(?=,|;| and\b| then\b|$)/i.exec(plain) ??
    /\bdivid(?:e|ed|ing) by()(.+?)(?=,|;| and\b| then\b|$)/i.exec(plain) ??
    /(?:^|=)([^=]*?) divided by (.+?)(?=,|;|$)/i.exec(plain) ??
    /\bratio of (.+?) to (.+?)(?=,|;|$)/i.exec(plain) ??
    /\bquotient of (.+?) (?:over|and) (.+?)(?=,|;|$)/i.exec(plain) ??
    /(?:^|=)([^=/]*?) ?\/ ?(.+?)(?=,|;|$)/.exec(plain);
  const [minuend, subtrahend] = subtract
    ? [subtract[2], subtract[1]]
    : minus
      ? [minus[1], minus[2]]
      : [between?.[1], between?.[2]];
  if (divided === null && minuend === undefined) return undefined;
  const hasDifference = minuend !== undefined && subtrahend !== undefined;
  return {
    isShortened: /\w_\w/.test(plain),
    ...(hasDifference ? { minuend: operand(minuend), subtrahend: operand(subtrahend) } : {}),
    ...(divided?.[1] && !hasDifference ? { numerator: operand(divided[1]) } : {}),
    ...(divided?.[2] ? { denominator: operand(divided[2]) } : {}),
  };
}

/** `number of orders` is `orders` where something is divided; `for …` behind it says which rows. */
function operand(text: string): Meaning {
  const meaning = new Map(meaningOf(text.replace(/\bfor\b.*$/i, ' ')));
  meaning.delete('number');
  return meaning;
}

function formulaDifference(a: Formula, b: Formula): string | undefined {
  if (a.minuend && a.subtrahend && b.minuend && b.subtrahend) {
    const straight = overlap(a.minuend, b.minuend) + overlap(a.subtrahend, b.subtrahend);
    const swapped = overlap(a.minuend, b.subtrahend) + overlap(a.subtrahend, b.minuend);
    if (swapped > straight) return 'they subtract in opposite directions';
  }
  for (const part of ['numerator', 'denominator'] as const) {
    const [left, right] = [a[part], b[part]];
    if (left === undefined || right === undefined || left.size === 0 || right.size === 0) continue;
    const [onlyLeft, onlyRight] = [without(left, right), without(right, left)];
    if ((a.isShortened || b.isShortened) && (onlyLeft.length === 0 || onlyRight.length === 0)) continue;
    const others = [...onlyLeft, ...onlyRight];
    if (others.length > 0) return `the ${part}s differ by ${quoted(others)}`;
  }
  return undefined;
}

function quoted(words: readonly string[]): string {
  return words
    .slice(0, 4)
    .map((word) => `'${word}'`)
    .join(', ');
}
