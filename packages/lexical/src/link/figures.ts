import { AMOUNT_FACTORS, MONEY_NAMES, NO_INCOME, QUANTITY_NAMES } from '../lexicon/figures.ts';
import { lemma } from '../tokenise/lemma.ts';
import type { TermLink } from './links.ts';
import type { AttributeEntry, Vocabulary } from './vocabulary.ts';

/** What nouns denote that name no column: "revenue" the amounts that were paid, "units" the quantities. */
export interface Figures {
  readonly money: readonly TermLink[];
  readonly quantity: readonly TermLink[];
}

/** That no column is called so. */
const FIGURE = 0.2;

const ofVocabularies = new WeakMap<Vocabulary, Figures>();

/** Found when the first question asks for them, once for a vocabulary: every amount of the database is looked at. */
export function findFigures(vocabulary: Vocabulary): Figures {
  const known = ofVocabularies.get(vocabulary);
  if (known !== undefined) return known;
  let found: Figures | undefined;
  const find = (): Figures => {
    found ??= allFigures(vocabulary);
    return found;
  };
  const figures: Figures = {
    get money() {
      return find().money;
    },
    get quantity() {
      return find().quantity;
    },
  };
  ofVocabularies.set(vocabulary, figures);
  return figures;
}

function allFigures(vocabulary: Vocabulary): Figures {
  const named = (names: readonly string[]): ReadonlyMap<string, AttributeEntry> => {
    const byRelation = new Map<string, AttributeEntry>();
    for (const words of names.map((name) => name.split(' ').map(lemma)))
      for (const entry of vocabulary.withWord(words[0] ?? '')) {
        if (entry.kind !== 'attribute' || entry.attribute.type !== 'NUMERIC' || entry.foreignKey !== undefined)
          continue;
        const id = entry.owner.relation.id;
        if (!byRelation.has(id) && isCalled(entry, words)) byRelation.set(id, entry);
      }
    return byRelation;
  };
  const money = named(MONEY_NAMES);
  const counts = named(AMOUNT_FACTORS.map(([count]) => count));
  const prices = named(AMOUNT_FACTORS.map(([, price]) => price));
  const products = [...counts].flatMap(([relation, count]): TermLink[] => {
    const price = prices.get(relation);
    if (price === undefined || money.has(relation)) return [];
    const factor = price.attribute.id;
    return [{ kind: 'attribute', relation, attribute: count.attribute.id, factor, isFigure: true, cost: FIGURE }];
  });
  return {
    money: [...linksTo([...money.values()].filter(isIncome)), ...products],
    quantity: linksTo([...named(QUANTITY_NAMES).values()]),
  };
}

/** The name, or its end behind that of its relation: `order_total`. */
function isCalled({ words, plainWords, owner }: AttributeEntry, wanted: readonly string[]): boolean {
  return [words, plainWords].some((own) => {
    const rest = own.filter((word) => !owner.plainWords.includes(word));
    return own.join(' ') === wanted.join(' ') || rest.join(' ') === wanted.join(' ');
  });
}

function isIncome({ owner, words }: AttributeEntry): boolean {
  return ![...owner.plainWords, ...words].some((word) => NO_INCOME.has(word));
}

function linksTo(entries: readonly AttributeEntry[]): TermLink[] {
  return entries.map(({ owner, attribute }) => ({
    kind: 'attribute',
    relation: owner.relation.id,
    attribute: attribute.id,
    isFigure: true,
    cost: FIGURE,
  }));
}
