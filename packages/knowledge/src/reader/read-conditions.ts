import type { BoundDataset } from '../bind/bound-knowledge.ts';
import { addDays } from '../time/days.ts';
import { readPeriod } from '../time/read-period.ts';
import { readTime } from '../time/read-time.ts';
import type { Condition } from './draft.ts';
import { isParticiple } from './function-words.ts';
import { behind, meant, type Piece, phrases, type QuestionReader, type State, said } from './question-reader.ts';

const NOT = phrases(
  'excluding|except(?: for| from| in)?|without|other than|outside(?: of)?|not (?:in|from|at)|but not(?: in| from)?|ignoring',
);
const PREPOSITION = phrases(
  '(?:only )?(?:in|at|for|from|of|on|with|through|via|about|within|inside|by)|did|does|do|has|have|had',
);
const ARTICLE = phrases('(?:the|our|all|all the)');
const END = phrases('(?:at|by|as of) the end of');
const JOINT = phrases('(?:, and|, or|,|and|or|and in|or in)');

interface Run {
  readonly end: number;
  readonly options: readonly Condition[];
}

/** "in Berlin", "from gold customers", "of the brand Alpenrain", "excluding drinks", "active customers". */
export const readConditions: Piece = (state, reader) => {
  if (state.subject !== undefined) return [];
  const { words } = reader;
  const not = behind(words, state.at, NOT);
  const opened = not ?? behind(words, state.at, PREPOSITION) ?? state.at;
  const start = behind(words, opened, ARTICLE) ?? opened;
  const hasBy = opened > state.at && words[opened - 1]?.lower === 'by';
  const isAgent = hasBy && words.slice(0, state.at).some(({ lower }) => isParticiple(lower));
  const isNoun = hasBy && [...meant(reader, start, 'field'), ...meant(reader, start, 'dataset')].length > 0;
  // "by city in Germany" is a group, and "in Germany" comes behind it; "sold by stores in Berlin" may be either.
  if (isNoun && !(isAgent && words[start]?.lower !== words[start]?.stem)) return [];
  // "top 3 organic food products" are no top 3 of organic.
  if (state.ranksBy === true && opened === state.at) return [];
  const isUnderNot = not === undefined && followsNot(state, reader);
  return conditionLists(start, reader).flatMap(({ end, options }) => {
    const possible = not === undefined ? options : options.filter(({ kind }) => kind === 'value');
    if (possible.length === 0) return [];
    const { draft } = state;
    const isVerb = draft.metrics.length > 0 && start === state.at && isParticiple(words[end - 1]?.lower ?? '');
    const slot = {
      said: said(words, start, end),
      options: possible,
      isNot: not !== undefined,
      isUnderNot,
      isBy: hasBy && !isAgent,
      isVerb,
      end,
    };
    const read = { ...draft, conditions: [...draft.conditions, slot], names: draft.names + (isNoun ? 2 : 1) };
    return [{ ...state, at: end, draft: read, isBehindMetric: false } satisfies State];
  });
};

/** "excluding food of Quell", "without food, Berlin": nobody knows what of them is left out. */
function followsNot({ draft, at }: State, { words }: QuestionReader): boolean {
  const last = draft.conditions.at(-1);
  return last?.isNot === true && (last.end === at || (last.end === at - 1 && words[last.end]?.kind === 'comma'));
}

/** Values of one field, with "and", "or" and commas between. */
function conditionLists(start: number, reader: QuestionReader): readonly Run[] {
  const found: Run[] = [];
  let open = conditionsAt(start, reader);
  while (open.length > 0) {
    found.push(...open);
    open = open.flatMap((run) => {
      const next = behind(reader.words, run.end, JOINT);
      if (next === undefined) return [];
      return conditionsAt(next, reader).flatMap((other) => {
        // "revenue in Berlin and complaints in Vienna" are two questions.
        if (meant(reader, next, 'dataset').some(({ end }) => end < other.end)) return [];
        const options = run.options.flatMap((one) => other.options.flatMap((two) => together(one, two)));
        return options.length === 0 ? [] : [{ end: other.end, options }];
      });
    });
  }
  return found;
}

function together(one: Condition, two: Condition): readonly Condition[] {
  if (one.kind !== 'value' || two.kind !== 'value' || one.field !== two.field) return [];
  return [{ ...one, values: [...new Set([...one.values, ...two.values])], nouns: two.nouns ?? one.nouns }];
}

/** One value or filter: alone, behind what it is of ("region North"), or before it ("gold customers"). */
function conditionsAt(start: number, reader: QuestionReader): readonly Run[] {
  const plain: readonly Run[] = [...meant(reader, start, 'value'), ...meant(reader, start, 'filter')];
  const behindField = meant(reader, start, 'field').flatMap(({ end, options: fields }) =>
    meant(reader, end, 'value').map(({ end: last, options }) => ({
      end: last,
      options: options.filter(({ field }) => fields.some((one) => one.field === field)),
    })),
  );
  const behindNoun = meant(reader, start, 'dataset').flatMap(({ end, options: nouns }) => {
    const place = behind(reader.words, end, phrases('(?:in|from|with|of)(?: the)?'));
    return [end, ...(place === undefined ? [] : [place])].flatMap((at) =>
      meant(reader, at, 'value').map(({ end: last, options }) => ({
        end: last,
        options: ofNouns(options, nouns, reader),
      })),
    );
  });
  const all = [...plain, ...behindField, ...behindNoun].filter(({ options }) => options.length > 0);
  return all.flatMap((run) => [run, ...beforeNoun(run, reader)]);
}

function beforeNoun({ end, options }: Run, reader: QuestionReader): readonly Run[] {
  const nouns = meant(reader, end, 'dataset').map(({ end: last, options: found }) => ({
    end: last,
    options: ofNouns(options, found, reader),
  }));
  const fields = meant(reader, end, 'field').map(({ end: last, options: found }) => ({
    end: last,
    options: options.filter((one) => one.kind === 'value' && found.some(({ field }) => field === one.field)),
  }));
  return [...nouns, ...fields].filter((run) => run.options.length > 0);
}

/** Values of a dataset that a noun names, or of one that it belongs to: "customers in the North", "Vienna stores". */
function ofNouns<Option extends Condition>(
  options: readonly Option[],
  nouns: readonly { readonly dataset: BoundDataset }[],
  { reaches }: QuestionReader,
): readonly Option[] {
  const isOf = (dataset: BoundDataset): boolean =>
    nouns.some((noun) => noun.dataset === dataset || reaches(noun.dataset, dataset));
  return options
    .filter((one) => one.kind === 'value' && isOf(one.dataset))
    .map((one) => ({ ...one, nouns: nouns.map(({ dataset }) => dataset) }));
}

/** "in 2024", "last month": one for the whole question. */
export const readTimes: Piece = (state, { words, clock }) => {
  const { draft } = state;
  if (draft.time !== undefined) return [];
  const time = readTime(words, state.at, clock);
  const end = behind(words, state.at, END);
  // Of what is known at certain days, the last one within the period.
  const period = end === undefined ? undefined : readPeriod(words, end, clock);
  // Nobody knows the end of what is not over.
  const isOver = clock.today === '' || (period?.range.to ?? '') <= addDays(clock.today, 1);
  const last = isOver ? period : undefined;
  const demands = { ...draft.demands, isSnapshot: true };
  return [
    ...(time === undefined ? [] : [{ ...state, at: time.end, draft: { ...draft, time }, isBehindMetric: false }]),
    ...(last === undefined
      ? []
      : [{ ...state, at: last.end, draft: { ...draft, time: last, demands }, isBehindMetric: false }]),
  ];
};

/** "opened" of complaints that are put in time by `opened_on`. */
export const readTimeVerbs: Piece = (state, reader) =>
  meant(reader, state.at, 'time').map(({ end, options }) => {
    const slot = { said: said(reader.words, state.at, end), options };
    return { ...state, at: end, draft: { ...state.draft, verbs: [...state.draft.verbs, slot] }, isBehindMetric: false };
  });
