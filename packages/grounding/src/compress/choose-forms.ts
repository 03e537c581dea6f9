import type { Sheet } from './relation-sheet.ts';

/** How a family is shown: with everything, or so many of its columns by name alone. */
export type Form = 'whole' | number;

/** Columns by which a family is shown first: enough to see whether the question is about it. */
export const SHORT_COLUMNS = 30;
/** Shares of the budget: for families in this short form, and for these and the names of all their columns. */
const SHORT_SHARE = 0.65;
const NAMES_SHARE = 0.9;
/** So many families of the first are shown by as many columns as there is room for. */
const CUT_FAMILIES = 2;
/** A question is about no more families than this. */
export const MAX_WHOLE = 16;
/** Families of one schema with this share of columns in common are told as a difference. */
const ALIKE = 0.6;
/** Tokens of what stands around the columns, and of a difference. */
const HEAD = 20;

/** What forms are chosen by: tokens, about. */
interface Costs {
  /** By the names of all columns. */
  readonly brief: (family: readonly Sheet[]) => number;
  /** With everything. */
  readonly whole: (family: readonly Sheet[]) => number;
}

/**
 * A form for each of the first families, best first, so that they count about `aim` tokens: a short form for as many as
 * a part of the room holds, then the names of all columns, then everything, for those that the question is most about.
 */
export function chooseForms(ranked: readonly (readonly Sheet[])[], costs: Costs, aim: number): Form[] {
  const forms: Form[] = [];
  const known: Known[] = [];
  const likeOf = createLikeness();
  let tokens = 0;
  const costOf = (at: number, form: Form | undefined): number => {
    const of = known[at];
    if (form === undefined || of === undefined) return 0;
    if (form === 'whole') return costs.whole(ranked[at] ?? []);
    const base = of.like === undefined ? undefined : forms[of.like.at];
    const isAll = form === of.columns;
    const isTold = isAll
      ? base === known[of.like?.at ?? at]?.columns
      : typeof base === 'number' && base <= SHORT_COLUMNS;
    const share = base !== undefined && isTold ? (of.like?.added ?? 1) : 1;
    return HEAD + share * Math.max(0, of.brief - HEAD) * Math.min(1, form / Math.max(of.columns, 1));
  };
  /** Takes the form where it fits. */
  const take = (at: number, form: Form, limit: number): boolean => {
    const more = costOf(at, form) - costOf(at, forms[at]);
    if (tokens + more > limit) return false;
    tokens += more;
    forms[at] = form;
    return true;
  };
  const addShort = (limit: number): void => {
    while (forms.length < ranked.length) {
      const at = forms.length;
      const family = ranked[at] ?? [];
      const entry = known[at] ?? { brief: costs.brief(family), columns: columnsOf(family), like: likeOf(family, at) };
      known[at] = entry;
      if (!take(at, Math.min(SHORT_COLUMNS, entry.columns), limit)) return;
    }
  };
  addShort(SHORT_SHARE * aim);
  for (const at of forms.keys()) {
    const columns = known[at]?.columns ?? 0;
    if (forms[at] === columns || take(at, columns, NAMES_SHARE * aim) || at >= CUT_FAMILIES) continue;
    const room = NAMES_SHARE * aim - tokens + costOf(at, forms[at]);
    const cut = Math.floor((columns * (room - HEAD)) / Math.max(1, costOf(at, columns) - HEAD));
    if (cut > SHORT_COLUMNS) take(at, cut, NAMES_SHARE * aim);
  }
  addShort(NAMES_SHARE * aim);
  for (let at = 0; at < Math.min(forms.length, MAX_WHOLE); at += 1)
    if (forms[at] === known[at]?.columns) take(at, 'whole', aim);
  addShort(aim);
  return forms;
}

function columnsOf(family: readonly Sheet[]): number {
  return family.reduce((most, { columns }) => Math.max(most, columns.length), 0);
}

interface Known {
  readonly brief: number;
  readonly columns: number;
  /** A better family that it can be told as a difference from, and the share of columns that it adds. */
  readonly like: { readonly at: number; readonly added: number } | undefined;
}

/** For large families in their order. */
function createLikeness(): (family: readonly Sheet[], at: number) => Known['like'] {
  const seen = new Map<string, { readonly at: number; readonly names: ReadonlySet<string> }[]>();
  return ([first], at) => {
    if (first === undefined) return undefined;
    const names = first.columns.map(({ name }) => name);
    const before = seen.get(first.qualifier) ?? [];
    for (const other of before) {
      const added = 1 - names.filter((name) => other.names.has(name)).length / names.length;
      if (added <= 1 - ALIKE) return { at: other.at, added };
    }
    seen.set(first.qualifier, [...before, { at, names: new Set(names) }].slice(0, MAX_LIKE));
    return undefined;
  };
}

/** So many large families of a schema are looked at for each. */
const MAX_LIKE = 16;
