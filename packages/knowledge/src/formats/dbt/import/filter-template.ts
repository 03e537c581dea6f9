import { Unsayable } from '../unsayable.ts';

/** A piece of a filter: SQL as it stands, or something that is looked up. */
export type FilterPart =
  | { readonly kind: 'sql'; readonly text: string }
  | {
      readonly kind: 'dimension' | 'entity';
      /** Entities on the way, then the name: `order_id__customer__type` has three. */
      readonly path: readonly string[];
      readonly grain: string | undefined;
      /** In lower case: `year`. */
      readonly datePart: string | undefined;
    };

/** Nobody writes longer ones, and searching takes time by the square of the length. */
const MAX_CHARACTERS = 10_000;
const TEMPLATE = /\{\{(.*?)\}\}/gs;
const CALL =
  /^\s*(Dimension|TimeDimension|Entity)\(\s*([^()]*)\)((?:\s*\.\s*(?:grain|date_part)\(\s*(?:'\w+'|"\w+")\s*\))*)\s*$/s;
const ARGUMENT = /\s*(?:(\w+)\s*=\s*)?(?:'([^']*)'|"([^"]*)"|\[([^\]]*)\]|None)\s*(?:,|$)/gy;
const METHOD = /\.\s*(grain|date_part)\(\s*['"](\w+)['"]\s*\)/g;

/**
 * Takes a filter of MetricFlow apart.
 *
 * @throws Unsayable for what in it is not understood.
 */
export function readFilterTemplate(template: string): readonly FilterPart[] {
  if (template.length > MAX_CHARACTERS) throw new Unsayable(`it has more than ${MAX_CHARACTERS} characters`);
  const parts: FilterPart[] = [];
  let end = 0;
  for (const match of template.matchAll(TEMPLATE)) {
    parts.push({ kind: 'sql', text: template.slice(end, match.index) });
    const part = readCall(match[1] ?? '');
    if (part === undefined) throw new Unsayable(`\`${match[0]}\` is not understood`);
    parts.push(part);
    end = match.index + match[0].length;
  }
  parts.push({ kind: 'sql', text: template.slice(end) });
  if (parts.some((part) => part.kind === 'sql' && /\{[{%#]/.test(part.text)))
    throw new Unsayable('it contains Jinja that is not run');
  return parts;
}

function readCall(inner: string): FilterPart | undefined {
  const [, call, list = '', methods = ''] = CALL.exec(inner) ?? [];
  if (call === undefined) return undefined;
  const given = readArguments(list);
  const name = given?.get('name') ?? given?.get(0);
  if (given === undefined || name === undefined) return undefined;
  const known = new Set(['name', 'time_granularity_name', 'entity_path', 'date_part_name', 0, 1, 2]);
  if ([...given.keys()].some((key) => !known.has(key))) return undefined;
  const isTime = call === 'TimeDimension';
  let grain = isTime ? (given.get('time_granularity_name') ?? given.get(1)) : undefined;
  let datePart = given.get('date_part_name');
  for (const [, method, value] of methods.matchAll(METHOD)) {
    if (method === 'grain') grain = value;
    else datePart = value;
  }
  const route = given.get('entity_path') ?? given.get(isTime ? 2 : 1) ?? '';
  const through = [...route.matchAll(/['"]([^'"]+)['"]/g)].map(([, entity = '']) => entity);
  return {
    kind: call === 'Entity' ? 'entity' : 'dimension',
    path: [...through, ...name.split('__')].map((step) => step.toLowerCase()),
    grain: grain?.toLowerCase(),
    datePart: datePart?.toLowerCase(),
  };
}

/** Arguments by name or place, without their quotes; undefined where something is no literal. */
function readArguments(list: string): ReadonlyMap<string | number, string> | undefined {
  const found = new Map<string | number, string>();
  ARGUMENT.lastIndex = 0;
  let end = 0;
  for (let match = ARGUMENT.exec(list); match !== null && match[0] !== ''; match = ARGUMENT.exec(list)) {
    const [all, key, single, double, items] = match;
    const value = single ?? double ?? items;
    if (value !== undefined) found.set(key ?? found.size, value);
    end = match.index + all.length;
  }
  return list.slice(end).trim() === '' ? found : undefined;
}
