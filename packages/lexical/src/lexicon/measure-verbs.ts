import type { Dimension, Scale } from './dimensions.ts';
import { phraseTable } from './phrase-table.ts';

const scales = (nouns: string): Scale[] => nouns.split('|').map((noun) => ({ noun, end: 'high', kind: 'measure' }));

/** Amounts that add up: a unit price does not. */
const MONEY = 'total|amount|total amount|total price|order total|payment|sum|total cost|spent|grand total|paid';

/** Verbs that name a quantity: "weighs more than 5", "spent the most". `summed`: over the rows of whoever did it. */
export const MEASURE_VERBS = phraseTable<Dimension & { readonly summed: boolean }>(
  (
    [
      ['weigh|weighs|weighed|weighing', 'weight|mass', false],
      ['cost|costs|costing', 'price|cost|fee|unit price|charge', false],
      [
        'spend|spends|spent|spending|has spent|have spent|paid|pay|pays|have paid|has paid|donate|donates|donated|gave|contribute|contributed',
        MONEY,
        true,
      ],
      ['sell|sells|sold|selling|bought|was sold', 'quantity|qty|units|units sold|copies|pieces', true],
      ['earn|earns|earned|earning|make|makes', 'salary|wage|hourly wage|income|earning|pay', false],
      ['last|lasts|lasted|lasting', 'duration|length|running time|runtime', false],
    ] as const
  ).flatMap(([verbs, nouns, summed]) =>
    verbs.split('|').map((verb) => [verb, { word: verb, scales: scales(nouns), summed }] as const),
  ),
);
