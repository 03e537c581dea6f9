import type { Demands } from './draft.ts';
import { behind, type Piece, phrases, type State } from './question-reader.ts';

const POLITE = phrases('please|thanks|thank you|kindly');
const ARTICLE = phrases('the|our|my|their|a|an|any|all our|all');
const WE = '(?:we|they|you|i|there|it|our company|the company|our business|the business)';
const HAVE =
  'have|had|make|made|get|got|see|seen|generate|generated|earn|earned|bring in|brought in|achieve|achieved|record|recorded|carry|hold|run|operate|receive|received|register|registered';
/** "did we make", "are there", "was generated": what is asked for was, whoever did it. */
const DID = phrases(
  `(?:did|do|does|have|has|had|were|was|are|is) ${WE}(?: (?:${HAVE}))?(?: (?:been|so far|ever|in total|overall))*|(?:was|were|is|are|been|has been|have been)(?: (?:there|${HAVE}|placed))?|${WE} (?:have |has )?(?:${HAVE})|${HAVE}|placed|there`,
);
const EVER = phrases('so far|ever|overall|at all|in all');
const DEVELOPED = phrases('developed|changed|evolved|trended|change|develop|evolve|trend|look over time');

const OPENINGS: readonly RegExp[] = [
  phrases('(?:hi|hello|hey|please|kindly|and|so|ok|okay)(?: ,)?'),
  phrases('(?:can|could|would|will) (?:you|we|i)'),
  phrases('report|calculate|compute|break down|let me see|let us see'),
  phrases("(?:i|we)(?: d|'d)? (?:want|need|would like|like)(?: to (?:see|know|have|get))?"),
  phrases('how (?:does|do|did)|what (?:is|was|s)|what|how (?:is|are|was|were)'),
];
/** Beginnings that ask for something in themselves, of the next metric or of the whole. */
const ASKING: readonly { readonly words: RegExp; readonly next?: Demands; readonly whole?: Demands }[] = [
  { words: phrases('how much(?: (?:is|are|was|were))?'), next: { isAmount: true } },
  { words: phrases('how (?:high|large|big)(?: (?:is|are|was|were))?'), next: { isAmount: true } },
  { words: phrases('how long(?: (?:is|are|was|were))?'), whole: { lasts: true } },
  { words: phrases('how (?:has|have|did|does|do)'), whole: { hasGrain: true } },
  {
    words: phrases(
      '(?:show|give|tell|get|bring|find|send)(?: me| us)?|list|display|who (?:is|are|was|were)|what (?:are|were)',
    ),
    whole: { rows: true },
  },
];

/** Where a question can begin to say something, one state for each way to read its beginning. */
export function openings(start: State, words: Parameters<Piece>[1]['words']): readonly State[] {
  const states = [start];
  for (const state of states) {
    for (const opening of OPENINGS) {
      const at = behind(words, state.at, opening);
      if (at !== undefined) states.push({ ...state, at });
    }
    for (const { words: asking, next, whole } of ASKING) {
      const at = behind(words, state.at, asking);
      if (at === undefined) continue;
      const draft = { ...state.draft, demands: { ...state.draft.demands, ...whole } };
      states.push({ ...state, at, draft, demands: next });
    }
  }
  return states;
}

/** What asks for nothing by itself. A verb that names a time is not among it. */
export const readFillers: Piece = (state, { words, links }) => {
  const word = words[state.at];
  if (word?.kind === 'stop' || word?.kind === 'comma') return [{ ...state, at: state.at + 1 }];
  const states: State[] = [];
  const skip = (pattern: RegExp): void => {
    const at = behind(words, state.at, pattern);
    if (at !== undefined) states.push({ ...state, at, isBehindMetric: false });
  };
  skip(ARTICLE);
  skip(POLITE);
  const hasMetric = state.draft.metrics.length > 0;
  const isName = (links[state.at] ?? []).length > 0;
  if (!isName && state.subject === undefined && (hasMetric || state.draft.groups.length > 0)) {
    skip(DID);
    skip(EVER);
  }
  if (state.draft.demands.hasGrain === true && hasMetric) skip(DEVELOPED);
  return states;
};
