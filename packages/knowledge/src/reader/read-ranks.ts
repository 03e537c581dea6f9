import { phraseKey } from '../words/words-of.ts';
import type { Rank } from './draft.ts';
import { NUMBER_WORDS, participleOf } from './function-words.ts';
import { behind, meant, type Piece, phrases, type QuestionReader, type State, said } from './question-reader.ts';
import { groupsAt } from './read-groups.ts';
import { withMetric } from './read-metrics.ts';

const HIGHEST = 'highest|largest|biggest|greatest|most|top';
const LOWEST = 'lowest|smallest|least|fewest|bottom';
const COUNT = `(?:\\d{1,4}|${NUMBER_WORDS.join('|')})`;
const TOP = phrases(`(?:the )?(?:${HIGHEST}|${LOWEST})(?: ${COUNT})?`);
const COUNT_TOP = phrases(`(?:the )?${COUNT} (?:${HIGHEST}|${LOWEST})`);
const RANKED_BY = phrases('(?:ranked |sorted |ordered )?by|in terms of|according to|measured by|in|for');
const SUBJECT = phrases(`(?:in )?(?:which|what)(?: are the| is the)?(?: ${COUNT})?|the(?: ${COUNT})?|${COUNT}`);
const SUPERLATIVE = phrases(
  `(?:(?:has|have|had|made|makes|make|generated|generates|brought in|brings in|earned|earns|received|got|gets|saw|sees|recorded|with|achieved) )?(?:the )?(?:${HIGHEST}|${LOWEST})(?: (?:number|amount) of)?`,
);
const WAS = phrases('was|were|is|are|did');
const TRAILING = phrases(`(?:the )?(?:${HIGHEST}|${LOWEST})`);
const MOST = phrases('the (?:most|fewest|least)');
const COUNTS = /(?:number of|most|fewest)$/u;

/** "top 5 products by revenue": the products, until the metric is said. */
export const readTop: Piece = (state, reader) => {
  if (state.draft.metrics.length > 0 || state.demands !== undefined || state.subject !== undefined) return [];
  const end = behind(reader.words, state.at, TOP) ?? behind(reader.words, state.at, COUNT_TOP);
  if (end === undefined || state.draft.rank !== undefined) return [];
  const spoken = said(reader.words, state.at, end).toLowerCase();
  return groupsAt(state, end, reader).flatMap((grouped) => {
    const rank = rankOf(spoken, countOf(spoken) ?? singular(reader, grouped.at));
    return rank === undefined ? [] : [{ ...grouped, draft: { ...grouped.draft, rank }, ranksBy: true }];
  });
};

/** "… by revenue" behind "top 5 products". */
export const readRankMetric: Piece = (state, reader) => {
  const start = state.ranksBy === true ? behind(reader.words, state.at, RANKED_BY) : undefined;
  if (start === undefined) return [];
  return metricsAt({ ...state, ranksBy: undefined }, start, reader);
};

/** "which city", "the three brands", "store": what has the highest of something. */
export const readSubject: Piece = (state, reader) => {
  const { draft } = state;
  if (draft.metrics.length > 0 || draft.rank !== undefined || state.subject !== undefined) return [];
  if (state.demands !== undefined) return [];
  const start = behind(reader.words, state.at, SUBJECT) ?? state.at;
  const limit = countOf(said(reader.words, state.at, start).toLowerCase());
  return groupsAt(state, start, reader).map((grouped) => ({
    ...grouped,
    subject: { limit: limit ?? singular(reader, grouped.at) },
  }));
};

/** "… was footfall highest" behind "in which city". */
export const readTrailingSuperlative: Piece = (state, reader) => {
  const start = state.subject === undefined ? undefined : behind(reader.words, state.at, WAS);
  if (start === undefined) return [];
  return metricsAt({ ...state, subject: undefined }, start, reader).flatMap((read) => {
    const end = behind(reader.words, read.at, TRAILING);
    const rank =
      end === undefined ? undefined : rankOf(said(reader.words, read.at, end).toLowerCase(), state.subject?.limit);
    return end === undefined || rank === undefined ? [] : [{ ...read, at: end, draft: { ...read.draft, rank } }];
  });
};

/** "… sold the most units" behind "which brand": the verb is the end of "units sold". */
export const readVerbSuperlative: Piece = (state, reader) => {
  const { words, lexicon } = reader;
  const verb = words[state.at];
  const start = state.subject === undefined || verb === undefined ? undefined : behind(words, state.at + 1, MOST);
  if (start === undefined || verb === undefined) return [];
  const rank = rankOf(said(words, state.at + 1, start).toLowerCase(), state.subject?.limit);
  const states: State[] = [];
  for (let end = start + 1; rank !== undefined && end <= Math.min(words.length, start + 4); end += 1) {
    const known = lexicon.withVerb.get(phraseKey(words.slice(start, end))) ?? [];
    const metrics = known.filter((one) => one.verb === participleOf(verb.lower)).map(({ metric }) => metric);
    const ranked = { ...state, subject: undefined, draft: { ...state.draft, rank } };
    if (metrics.length > 0) states.push(withMetric(ranked, said(words, start, end), end, metrics));
  }
  return states;
};

/** "… had the highest footfall" behind "which city". */
export const readSuperlative: Piece = (state, reader) => {
  const { subject } = state;
  const end = subject === undefined ? undefined : behind(reader.words, state.at, SUPERLATIVE);
  if (end === undefined) return [];
  const spoken = said(reader.words, state.at, end).toLowerCase();
  const rank = rankOf(spoken, subject?.limit);
  if (rank === undefined) return [];
  const demands = spoken.endsWith('number of') ? { counts: true } : undefined;
  const ranked = { ...state, subject: undefined, demands, draft: { ...state.draft, rank } };
  return metricsAt(ranked, end, reader);
};

function metricsAt(state: State, start: number, reader: QuestionReader): readonly State[] {
  const article = behind(reader.words, start, phrases('(?:the )?(?:number of|total number of)'));
  const at = article ?? behind(reader.words, start, phrases('the|their|its')) ?? start;
  const demands = article === undefined ? state.demands : { counts: true };
  const isCounting = demands?.counts === true || COUNTS.test(said(reader.words, 0, at).toLowerCase());
  return [...(at === start ? [] : [start]), at].flatMap((place) =>
    meant(reader, place, 'metric').flatMap(({ end, options }) => {
      const named = options.filter(({ onlyCounted }) => onlyCounted !== true || isCounting);
      if (named.length === 0) return [];
      const metrics = named.map(({ metric }) => metric);
      return [withMetric({ ...state, demands }, said(reader.words, place, end), end, metrics)];
    }),
  );
}

function rankOf(spoken: string, limit: number | undefined): Rank | undefined {
  if (limit === undefined || limit < 1) return undefined;
  const isLowest = new RegExp(`\\b(?:${LOWEST})\\b`, 'u').test(spoken);
  return { direction: isLowest ? 'asc' : 'desc', limit };
}

function countOf(spoken: string): number | undefined {
  for (const word of spoken.split(' ')) {
    if (/^\d{1,4}$/u.test(word)) return Number(word);
    const number = NUMBER_WORDS.indexOf(word);
    if (number > 0) return number;
  }
  return undefined;
}

/** One, where the word before is in the singular: nobody says how many "the top cities" are. */
function singular({ words }: QuestionReader, end: number): number | undefined {
  const word = words[end - 1];
  return word !== undefined && word.lower === word.stem ? 1 : undefined;
}
