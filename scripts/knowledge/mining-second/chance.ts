import { seededRandom } from '../../inspect/seeded-random.ts';

export interface Chance {
  readonly below: (count: number) => number;
  readonly is: (probability: number) => boolean;
  readonly oneOf: <Value>(values: readonly Value[]) => Value;
  /** The earlier, the more often: the n-th as often as the first divided by n. */
  readonly early: <Value>(values: readonly Value[]) => Value;
  readonly shuffled: <Value>(values: readonly Value[]) => readonly Value[];
}

export function chanceOf(seed: number): Chance {
  const random = seededRandom(seed);
  const below = (count: number): number => Math.floor(random() * count);
  const oneOf = <Value>(values: readonly Value[]): Value => {
    if (values.length === 0) throw new Error('Nothing to choose from.');
    return values[below(values.length)] as Value;
  };
  return {
    below,
    is: (probability) => random() < probability,
    oneOf,
    early: (values) => {
      let left = random() * values.reduce((sum, _, at) => sum + 1 / (at + 1), 0);
      for (const [at, value] of values.entries()) {
        left -= 1 / (at + 1);
        if (left < 0) return value;
      }
      return oneOf(values);
    },
    shuffled: (values) =>
      values
        .map((value) => [random(), value] as const)
        .sort(([left], [right]) => left - right)
        .map(([, value]) => value),
  };
}

/** The texts that a column holds. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  'policies.status': ['active', 'draft', 'lapsed', 'cancelled', 'expired'],
  'premium_invoices.status': ['paid', 'open', 'dunned', 'written_off'],
  product_code: ['MOT', 'HOM', 'LIA', 'LIF', 'TRV'],
  line_of_business: ['motor', 'property', 'life'],
  product_name: ['Motor Plus', 'Home Basic', 'Life Care'],
  country: ['DE', 'AT', 'CH', 'FR', 'NL'],
  segment: ['private', 'business', 'public'],
  region: ['north', 'south', 'east', 'west'],
  channel: ['direct', 'agent', 'bank', 'online'],
  cover_code: ['glass', 'theft', 'fire', 'water', 'legal'],
  cause: ['glass', 'storm', 'collision', 'theft', 'hail'],
  payee_type: ['insured', 'third_party', 'garage', 'lawyer'],
  job_title: ['adjuster', 'clerk', 'team lead', 'actuary'],
  city: ['Bonn', 'Linz', 'Basel', 'Lyon', 'Utrecht'],
  state_code: ['NW', 'BY', 'BS', 'UT'],
  Outcome: ['answered', 'missed', 'voicemail', 'transferred'],
};

export const textsOf = (table: string, column: string): readonly string[] =>
  TEXTS[`${table}.${column}`] ?? TEXTS[column] ?? ['Miller', 'Schmidt', 'Novak', 'Rossi', 'Dubois', 'Jansen'];
