import type { Metric } from '../model/semantic-model.ts';
import { phraseKey } from '../words/words-of.ts';
import type { Demands } from './draft.ts';
import { participleOf } from './function-words.ts';
import { behind, meant, type Piece, phrases, type State, said } from './question-reader.ts';

const COUNTING = phrases('how many|(?:number|count|numbers) of|how many different');
const SUMMING = phrases('total|overall');
const AMOUNT = phrases('total amount of');
const SUMMED = phrases('altogether|in total|overall');
const ADDING = phrases('(?:sum|total) of|combined');
const DISTINCT = phrases('different|distinct|unique');
const LIST = phrases(', and|,|and|as well as');

/** "How many", "total", "different": what they say must be true of the metric that follows, or of those before. */
export const readDemands: Piece = (state, { words }) => {
  const isBefore = state.draft.metrics.length === 0 || state.listsMetrics === true;
  const demand = (pattern: RegExp, demands: Demands): State[] => {
    const at = behind(words, state.at, pattern);
    if (at === undefined) return [];
    if (isBefore) return [{ ...state, at, demands: { ...state.demands, ...demands } }];
    return [{ ...state, at, draft: { ...state.draft, demands: { ...state.draft.demands, ...demands } } }];
  };
  return [
    ...(isBefore ? [...demand(COUNTING, { counts: true }), ...demand(DISTINCT, { isDistinct: true })] : []),
    ...demand(isBefore ? SUMMING : SUMMED, { sums: true }),
    ...(isBefore ? demand(AMOUNT, { sums: true, isAmount: true }) : []),
    ...demand(ADDING, { sums: true, adds: true }),
  ];
};

/** A metric by one of its names; of what can only be counted, behind a word that counts. */
export const readMetric: Piece = (state, reader) => {
  if (!takesMetric(state)) return [];
  const { words, lexicon } = reader;
  const isCounting = state.demands?.counts === true;
  const byName = meant(reader, state.at, 'metric').flatMap(({ end, options }) => {
    const named = options.filter(({ onlyCounted }) => onlyCounted !== true || isCounting);
    return named.length === 0
      ? []
      : [
          withMetric(
            state,
            said(words, state.at, end),
            end,
            named.map((one) => one.metric),
          ),
        ];
  });
  const byParts: State[] = [];
  for (let end = state.at + 1; end <= Math.min(words.length, state.at + 4); end += 1) {
    const known = lexicon.withVerb.get(phraseKey(words.slice(state.at, end))) ?? [];
    for (const verb of new Set(known.map((one) => one.verb))) {
      const metrics = known.filter((one) => one.verb === verb).map(({ metric }) => metric);
      byParts.push({ ...withMetric(state, said(words, state.at, end), end, metrics), verb });
    }
  }
  return [...byName, ...byParts];
};

function takesMetric({ draft, listsMetrics, verb, subject, ranksBy }: State): boolean {
  if (verb !== undefined || subject !== undefined || ranksBy === true) return false;
  return draft.metrics.length === 0 || listsMetrics === true;
}

export function withMetric(state: State, words: string, at: number, options: readonly Metric[]): State {
  const { draft, demands = {} } = state;
  const slot = { said: words, options: [...new Set(options)], demands };
  return { at, draft: { ...draft, metrics: [...draft.metrics, slot], names: draft.names + 1 }, isBehindMetric: true };
}

/** "revenue and gross profit". */
export const readMetricList: Piece = (state, { words }) => {
  const at = state.isBehindMetric === true ? behind(words, state.at, LIST) : undefined;
  if (at === undefined || state.draft.rank !== undefined) return [];
  return [{ at, draft: state.draft, listsMetrics: true }];
};

/** "units have we sold": the verb that completes the name. */
export const readMetricVerb: Piece = (state, { words }) => {
  const word = words[state.at];
  if (state.verb === undefined || word?.kind !== 'word' || participleOf(word.lower) !== state.verb) return [];
  return [{ ...state, at: state.at + 1, verb: undefined, isBehindMetric: false }];
};
