import type { TimeGrain } from '../model/semantic-model.ts';
import type { GroupSlot } from './draft.ts';
import { behind, meant, type Piece, phrases, type QuestionReader, type State, said } from './question-reader.ts';

const EACH = '(?:each|every)(?: of the)?';
const OPENING = phrases(
  `(?:(?:broken|split|divided|separated|distributed|grouped|break|split up)(?: down| up)? )?(?:by|per|for ${EACH}|in ${EACH}|at ${EACH}|of ${EACH}|from ${EACH}|on ${EACH}|across(?: all)?(?: the)?|${EACH}|(?:does|do|did|has|have) ${EACH})(?: (?:different|individual|single))?`,
);
/** "by city and by month", "per category, brand and quarter". */
const JOINT = phrases(`(?:, and|,|and|, then|then)(?: (?:by|per|for ${EACH}|in ${EACH}|${EACH}))?`);
const GRAIN = phrases('(?:(?:fiscal|financial|calendar) )?(?:day|week|month|quarter|year)s?');
const ADVERBS: Readonly<Record<string, TimeGrain>> = {
  daily: 'day',
  weekly: 'week',
  monthly: 'month',
  quarterly: 'quarter',
  yearly: 'year',
  annual: 'year',
  annually: 'year',
};
const STEP = phrases('(?:from )?(day|week|month|quarter|year) (?:by|to) \\1');
const SNAPSHOT = phrases('(?:at|by|as of) the end of (?:each|every) (?:day|week|month|quarter|year)');

/** "by city and month", "per store", "for each brand". */
export const readGroups: Piece = (state, reader) => {
  if (state.listsMetrics === true || state.subject !== undefined) return [];
  const start = behind(reader.words, state.at, OPENING);
  if (start === undefined) return [];
  const states: State[] = [];
  const isPer = reader.words[start - 1]?.lower === 'per';
  let open = groupsAt(state, start, reader, isPer);
  while (open.length > 0) {
    states.push(...open);
    open = open.flatMap((one) => {
      const next = behind(reader.words, one.at, JOINT);
      return next === undefined ? [] : groupsAt(one, next, reader, isPer);
    });
  }
  return states;
};

/** What one can group by, at a word. */
export function groupsAt(state: State, start: number, reader: QuestionReader, isPer = false): readonly State[] {
  const { words } = reader;
  const grain = grainAt(start, reader);
  const fields = meant(reader, start, 'field').map(({ end, options }) =>
    withGroup(state, end, { kind: 'field', said: said(words, start, end), options, isPer }),
  );
  return grain === undefined ? fields : [...fields, withGroup(state, grain.end, grain.slot)];
}

function grainAt(at: number, { words, clock }: QuestionReader): { slot: GroupSlot; end: number } | undefined {
  const end = behind(words, at, GRAIN);
  if (end === undefined) return undefined;
  const isFiscal = /^(?:fiscal|financial)$/u.test(words[at]?.lower ?? '');
  if (isFiscal && clock.fiscal === undefined) return undefined;
  return { slot: { kind: 'grain', grain: words[end - 1]?.stem as TimeGrain, isFiscal }, end };
}

function withGroup({ at: _, ...state }: State, end: number, slot: GroupSlot): State {
  const { draft } = state;
  const names = draft.names + (slot.kind === 'field' ? 1 : 0);
  return { ...state, at: end, draft: { ...draft, groups: [...draft.groups, slot], names }, isBehindMetric: false };
}

/** "monthly", "month by month", "at the end of each month". */
export const readGrainWords: Piece = (state, { words }) => {
  if (state.subject !== undefined) return [];
  const adverb = ADVERBS[words[state.at]?.lower ?? ''];
  const slot = (grain: string | undefined): GroupSlot => ({
    kind: 'grain',
    grain: grain as TimeGrain,
    isFiscal: false,
  });
  const states: State[] = [];
  // Behind "and" it belongs to what is listed.
  if (adverb !== undefined && state.listsMetrics !== true)
    states.push({ ...withGroup(state, state.at + 1, slot(adverb)), demands: state.demands });
  const step = behind(words, state.at, STEP);
  if (step !== undefined && state.listsMetrics !== true)
    states.push(withGroup(state, step, slot(words[step - 1]?.lower)));
  const snapshot = behind(words, state.at, SNAPSHOT);
  if (snapshot !== undefined && state.listsMetrics !== true) {
    const grouped = withGroup(state, snapshot, slot(words[snapshot - 1]?.lower));
    states.push({ ...grouped, draft: { ...grouped.draft, demands: { ...grouped.draft.demands, isSnapshot: true } } });
  }
  return states;
};
