import { isEmpty, type Meaning, meaningOf, stemOf } from './meaning-words.ts';
import type { Statement } from './statements.ts';

/** What a statement says that a term is. */
export interface Definition {
  /** As it is written. */
  readonly term: string;
  /** The names under which the term is found: in upper case for abbreviations, else its words. */
  readonly keys: readonly string[];
  /** What its names mean: `AOV (average order value)` has one. */
  readonly names: readonly Meaning[];
  readonly body: string;
  readonly statement: Statement;
}

const NAME = String.raw`[A-Za-z][\w'%/-]*(?: [\w'%/-]+){0,5}`;
const BRACKETS = String.raw`(?: \(([^()]{2,60})\))?`;
const IS =
  '(?: is| are)? (?:defined as|calculated as|computed as|determined by|calculated by|established by|understood as)' +
  '|(?: is| are) (?:when|where)|(?: means| denotes| refers to| stands for| equals)';
const VERB = 'calculate|compute|determine|measure|get|derive|work out|find|obtain|count';

/** Ways in which people write definitions, the most telling first. */
const FORMS: readonly RegExp[] = [
  new RegExp(`^(?:the |an? )?(${NAME}?)${BRACKETS}(?:${IS}),? (.+)$`, 'is'),
  new RegExp(String.raw`^(?:to (?:${VERB})|for) (?:the |an? )?(${NAME}?)${BRACKETS} ?=\s+(.+)$`, 'is'),
  new RegExp(String.raw`^(?:the |an? )?(${NAME}?)${BRACKETS} ?(?:=|:)\s+(.+)$`, 'is'),
  new RegExp(`^(?:to (?:${VERB})|for) (?:the |an? )?(${NAME}?)${BRACKETS}, (.+)$`, 'is'),
  // `A doctor's specialty rank (SR) is …`: the brackets say that it is a term.
  new RegExp(String.raw`^(?:the |an? )?(${NAME}?) \(([A-Z][A-Za-z0-9]{1,14})\) (?:is|are) (.+)$`, 's'),
  /^([A-Z][A-Z0-9]{1,14})() (?:is|calculates|measures|counts|gives) (.+)$/s,
];

/** Words before a colon that name no term. */
const LABELS =
  /^(notes?|examples?|hint|tip|warning|important|caution|remark|remember|see also|question|answer|sql|todo)$/i;

/** How rows are put together: says how to get at something, not what it is. */
const PROCEDURE =
  /\b(join|joins|joining|merge|link|linking|combine|connect|associat\w+|filter|group(ed)? by|tables?|cte)\b/i;

/** Definitions among statements. A procedure (`join a and b, then filter`) counts where a formula stands in it. */
export function definitionsIn(statements: readonly Statement[]): Definition[] {
  return statements.flatMap((statement) => {
    for (const form of FORMS) {
      const found = form.exec(statement.text);
      if (found === null) continue;
      const [, name = '', other = '', body = ''] = found;
      const names = [name, other].filter((one) => one.trim() !== '');
      const keys = names.map(keyOf).filter((key) => key !== '');
      if (keys.length === 0 || LABELS.test(name) || isCondition(name, body)) return [];
      const words = [...names, nameIn(body, names) ?? ''].filter((one) => one !== '' && !isAbbreviation(one.trim()));
      return [{ term: shortest(names), keys, names: words.map(meaningOf), body: body.trim(), statement }];
    }
    return [];
  });
}

/** `status = 'paid'` is a condition on a column. */
function isCondition(name: string, body: string): boolean {
  return /[_.]/.test(name) || /^(?:'[^']*'|"[^"]*"|-?\d[\d.]*|true|false|null)$/i.test(body.trim());
}

export function isProcedure(body: string): boolean {
  return PROCEDURE.test(body);
}

/** `AR`, `D30R`: letters and digits, mostly capitals. */
function isAbbreviation(name: string): boolean {
  return (
    /^[A-Z][A-Za-z0-9]*$/.test(name) && (name.match(/[A-Z0-9]/g)?.length ?? 0) * 2 >= name.length && name.length > 1
  );
}

function keyOf(name: string): string {
  const plain = name.trim();
  if (isAbbreviation(plain)) return plain.toUpperCase();
  const words = [...meaningOf(plain).keys()].sort();
  // `total orders` are orders, but an `order total` is none: the last word says what it is.
  const last = /\s([a-z]+)$/.exec(plain.toLowerCase())?.[1] ?? '';
  return words.length > 0 && isEmpty(last) ? `${words.join(' ')} ${stemOf(last)}` : words.join(' ');
}

function shortest(names: readonly string[]): string {
  return (
    names
      .filter((name) => name.trim() !== '')
      .sort((a, b) => a.length - b.length)[0]
      ?.trim() ?? ''
  );
}

/** The words for which an abbreviation stands, where a body begins with them: `TAC = Total Active Customers who …`. */
function nameIn(body: string, names: readonly string[]): string | undefined {
  const short = names
    .find((name) => isAbbreviation(name.trim()))
    ?.trim()
    .toLowerCase();
  const words = [...body.matchAll(/[A-Za-z0-9]+/g)].slice(0, short?.length ?? 0);
  const last = words.at(-1);
  const initials = words.map(([word]) => word[0]?.toLowerCase()).join('');
  if (last === undefined || initials !== short || isEmpty(last[0].toLowerCase())) return undefined;
  return body.slice(0, last.index + last[0].length);
}
