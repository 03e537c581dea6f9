import type { ColumnFacts } from '../facts/column-facts.ts';
import { MOST_LABEL_COLUMNS, MOST_MEASURES, MOST_PLACES, MOST_SERIES } from '../spec/chart-spec.ts';
import type { ChartRule, Proposal } from './chart-choice.ts';
import type { ChoiceFacts } from './choice-facts.ts';
import { columnNames } from './column-names.ts';
import { barOrder, layoutOf, offer, seriesLimit } from './offers.ts';

/** More bars are read as a table first. */
const READABLE_BARS = 25;
/** Of more bars, these are offered. */
const TOP_BARS = 20;
/** More bars in groups are read as a table first. */
const READABLE_GROUPED = 40;
/** More dots are gathered in cells, which a person has to ask for. */
const READABLE_DOTS = 2_000;
const FEWEST_DOTS = 5;
/** Dots of fewer different numbers lie on each other: those are codes, grades, classes. */
const FEWEST_PLACES = 10;
/** Two points are compared as bars. */
const FEWEST_POINTS = 3;
/** Parts of a whole in one bar. */
const MOST_PARTS = 6;

const table = (reason: string, offered: Proposal['offered'] = []): Proposal => ({ first: 'table', offered, reason });
const chart = (reason: string, ...offered: Proposal['offered']): Proposal => ({ first: 'chart', offered, reason });
const isTime = ({ role }: ColumnFacts): boolean => role === 'time' || role === 'part';
const only = <T>(list: readonly T[]): T | undefined => (list.length === 1 ? list[0] : undefined);

/** Whether the statement picks and orders rows by a number, so that time is a name in a ranking. */
const isRanking = ({ shape, measures }: ChoiceFacts): boolean =>
  shape?.sortedBy !== undefined && measures.some(({ index }) => index === shape.sortedBy);

/** The first that decides, decides. A chart that would leave something out becomes a table first, whatever the rule. */
export const CHART_RULES: readonly ChartRule[] = [
  {
    id: 'no-rows',
    when: 'There is no row, or no column.',
    example: 'Which customers bought nothing?',
    propose: ({ rows, columns }) =>
      rows === 0 || columns.length === 0 ? table('There is nothing to draw: the result is empty.') : undefined,
  },
  {
    id: 'one-number',
    when: 'One row of one to four numbers that measure something.',
    example: 'How many orders are there?',
    propose: (facts) => {
      const { rows, columns, measures } = facts;
      if (rows !== 1 || measures.length !== columns.length || columns.length > MOST_MEASURES) return undefined;
      if (measures.some(({ nulls, notFinite }) => nulls + notFinite > 0)) return undefined;
      const reason = measures.length === 1 ? 'It is one number.' : 'It is one row of numbers.';
      return { first: 'number', offered: [offer(facts, { kind: 'number', y: measures })], reason };
    },
  },
  {
    id: 'one-row',
    when: 'Any other single row.',
    example: 'Who is the oldest singer, and from where?',
    propose: ({ rows }) => (rows === 1 ? table('It is one row: there is nothing to compare it with.') : undefined),
  },
  {
    id: 'no-measure',
    when: 'No column measures anything; identifiers, keys, ranks and coordinates do not.',
    example: 'List the names and ids of all students.',
    propose: ({ measures, columns }) => {
      if (measures.length > 0) return undefined;
      const codes = columns.filter(({ why }) => why !== undefined);
      const list = columnNames(codes, ({ why }) => ` ${why}`);
      return table(`No column measures anything${list === '' ? '' : `: ${list}`}.`);
    },
  },
  {
    id: 'time-ranking',
    when: 'Time or a part of it, and the statement sorts by the measure.',
    example: 'Which five months had the most orders?',
    propose: (facts) => {
      const { times, parts, measures, labels, rows } = facts;
      const x = only([...times, ...parts]);
      if (x === undefined || labels.length > 0 || !isRanking(facts) || !facts.isUnique([x])) return undefined;
      const bars = { kind: 'bar', x: [x], y: measures, sort: 'given' } as const;
      const byTime = offer(facts, { ...bars, sort: 'x' });
      const reason = `The statement ranks ${columnNames([x])}: bars in its order.`;
      if (rows > READABLE_BARS) return table(`${reason} ${tooMany(rows)}`, topOf(facts, [x]));
      return chart(
        reason,
        offer(facts, bars),
        ...(hasPlaces(facts, [x]) ? [byTime] : []),
        ...(times.length === 0 || facts.shape?.limited === true ? [] : lineOf(facts, x)),
      );
    },
  },
  {
    id: 'time-parts',
    when: 'A place in a cycle (month, weekday, hour), also behind its year.',
    example: 'How many orders on each day of the week?',
    propose: (facts) => {
      const { parts, times, labels, measures, rows } = facts;
      const x = [...times, ...parts].sort((a, b) => Number(a.role === 'part') - Number(b.role === 'part'));
      if (parts.length === 0 || labels.length > 0 || x.length > MOST_LABEL_COLUMNS || !facts.isUnique(x))
        return undefined;
      const bars = offer(facts, { kind: 'bar', x, y: measures, sort: 'x' });
      const reason = `${columnNames(x)} has an order but no distances: bars in its order.`;
      if (rows > READABLE_GROUPED) return table(`${reason} ${tooMany(rows)}`);
      return hasPlaces(facts, x) ? chart(reason, bars) : table(`${reason} ${STEPS_UNKNOWN}`);
    },
  },
  {
    id: 'time-events',
    when: 'One number for each of many moments that follow no rhythm: events, not a development.',
    example: 'The moment and the total of every order',
    propose: (facts) => {
      const [x, y] = [only(facts.times), only(facts.measures)];
      if (x === undefined || y === undefined || facts.labels.length + facts.parts.length > 0) return undefined;
      if (x.grain !== 'instant' || facts.rows < FEWEST_POINTS || facts.isRegular(x)) return undefined;
      const dots = offer(facts, { kind: 'scatter', x: [x], y: [y] });
      const reason = `The moments of ${columnNames([x])} follow no rhythm: dots.`;
      return facts.rows <= READABLE_DOTS ? chart(reason, dots) : table(tooManyDots(facts.rows), [dots]);
    },
  },
  {
    id: 'time-line',
    when: 'One time with one value each; bars where it is two points.',
    example: 'How did revenue develop by month?',
    propose: (facts) => {
      const { times, labels, measures, rows } = facts;
      const x = only(times);
      if (x === undefined || labels.length > 0 || !facts.isUnique([x])) return undefined;
      const bars = offer(facts, { kind: 'bar', x: [x], y: measures, sort: 'x' });
      if (rows < FEWEST_POINTS) return chart('Two points of time are compared as bars.', bars);
      const few = rows <= READABLE_BARS && hasPlaces(facts, [x]) ? [bars] : [];
      return chart(`${columnNames([x])} is time, with one value each: a line.`, ...lineOf(facts, x), ...few);
    },
  },
  {
    id: 'time-series',
    when: 'Time, a category whose values come again, and one measure.',
    example: 'Revenue by month and country',
    propose: (facts) => {
      const [x, series, y] = [only(facts.times), only(facts.labels), only(facts.measures)];
      if (x === undefined || series === undefined || y === undefined || facts.parts.length > 0) return undefined;
      if (x.distinct < 2 || facts.rows < 2 * series.distinct || !facts.isUnique([x, series])) return undefined;
      if (x.distinct < FEWEST_POINTS) return undefined;
      const line = offer(facts, { kind: 'line', x: [x], y: [y], series, limit: seriesLimit(series) });
      const reason = `A line over ${columnNames([x])} for each of ${series.distinct} ${columnNames([series])}.`;
      if (series.distinct <= MOST_SERIES) return chart(reason, line);
      return table(
        `${reason} More than ${MOST_SERIES} lines hide each other: those with the highest values are offered.`,
        [line],
      );
    },
  },
  {
    id: 'time-repeated',
    when: 'Time that comes again in several rows, with nothing to tell them apart.',
    example: 'The date and total of every order',
    propose: (facts) => {
      const [x, y] = [only(facts.times), only(facts.measures)];
      if (x === undefined || facts.labels.length + facts.parts.length > 0 || facts.isUnique([x])) return undefined;
      const reason = `Several rows have the same ${columnNames([x])}, so that no line goes through them.`;
      return table(reason, y === undefined ? [] : [offer(facts, { kind: 'scatter', x: [x], y: [y] })]);
    },
  },
  {
    id: 'two-labels',
    when: 'Two labels that cross, and one measure; stacked only where the numbers add up to a whole.',
    example: 'Number of orders by country and status',
    propose: (facts) => {
      const [y, [first, second, third]] = [only(facts.measures), namesOfRows(facts)];
      if (y === undefined || first === undefined || second === undefined || third !== undefined) return undefined;
      if (!crosses(facts, first, second)) return undefined;
      const [x, series] =
        isTime(first) || (!isTime(second) && first.distinct >= second.distinct) ? [first, second] : [second, first];
      if (series.role === 'id' || series.distinct > MOST_SERIES)
        return table(`${columnNames([first, second])} cross in ${facts.rows} rows, too many to tell apart.`);
      const sort = isTime(x) ? 'x' : barOrder(facts);
      const bars = { kind: 'bar', x: [x], y: [y], series, sort } as const;
      const grouped = offer(facts, { ...bars, layout: 'grouped' });
      const isWhole = layoutOf(y) === 'stacked';
      const both = isWhole ? [offer(facts, { ...bars, layout: 'stacked' }), grouped] : [grouped];
      const reason = isWhole
        ? `${columnNames([y])} adds up: bars of ${columnNames([x])} made of ${columnNames([series])}.`
        : `${columnNames([y])} is not known to add up: bars of ${columnNames([series])} beside each other.`;
      if (isTime(x) && !hasPlaces(facts, [x])) return table(`${reason} ${STEPS_UNKNOWN}`);
      if (facts.rows <= READABLE_GROUPED) return chart(reason, ...both);
      // As parts of one bar they take no room of their own.
      if (isWhole && x.distinct <= READABLE_BARS) return chart(reason, ...both.slice(0, 1));
      const isCut = !isTime(x) && x.distinct > TOP_BARS;
      const fewer = both.map((spec) => (isCut ? { ...spec, sort: 'value' as const, limit: TOP_BARS } : spec));
      return table(`${reason} ${tooMany(facts.rows)}`, fewer);
    },
  },
  {
    id: 'repeated-labels',
    when: 'Labels that name several rows.',
    example: 'Each singer with the price of each album',
    propose: (facts) => {
      const x = namesOfRows(facts);
      if (x.length === 0 || facts.isUnique(x)) return undefined;
      return table(`Several rows have the same ${columnNames(x)}: bars of one name would be taken for one thing.`);
    },
  },
  {
    id: 'too-many-bars',
    when: `More than ${READABLE_BARS} rows with a label each.`,
    example: 'Population of every city',
    propose: (facts) => {
      const x = namesOfRows(facts);
      if (x.length === 0 || facts.rows <= READABLE_BARS) return undefined;
      const [top, dots] = [topOf(facts, x), dotsOf(facts)];
      return table(tooMany(facts.rows), facts.words.relation ? [...dots, ...top] : [...top, ...dots]);
    },
  },
  {
    id: 'listing',
    when: 'Stored rows as they are: nothing is computed, and nothing is sorted by the measure.',
    example: 'Show name and age of all pets.',
    propose: (facts) => {
      const { shape, columns, words } = facts;
      const x = namesOfRows(facts);
      if (shape === undefined || x.length === 0 || shape.groups || isRanking(facts) || words.top) return undefined;
      if (columns.some(({ aggregated }) => aggregated)) return undefined;
      return table('The rows are listed as they are stored; as bars they can be compared.', [
        offer(facts, { kind: 'bar', x: x.slice(0, MOST_LABEL_COLUMNS), y: facts.measures, sort: barOrder(facts) }),
        ...dotsOf(facts),
      ]);
    },
  },
  {
    id: 'bars',
    when: `At most ${READABLE_BARS} rows with a label each.`,
    example: 'How many students has each department?',
    propose: (facts) => {
      const x = namesOfRows(facts);
      if (x.length === 0) return undefined;
      const bars = offer(facts, {
        kind: 'bar',
        x: x.slice(0, MOST_LABEL_COLUMNS),
        y: facts.measures,
        sort: barOrder(facts),
      });
      return chart(`One row for each ${columnNames(x)}: bars.`, bars, ...wholeOf(facts), ...dotsOf(facts));
    },
  },
  {
    id: 'ordered-numbers',
    when: 'Grouped by a number: bars in its order, a line where there are many, dots where there are no steps.',
    example: 'How are the ages of students distributed?',
    propose: (facts) => {
      const x = only(facts.measures.filter(({ grouped, aggregated }) => grouped && !aggregated));
      const y = facts.measures.filter((each) => each !== x);
      if (x === undefined || y.length === 0 || !facts.isUnique([x])) return undefined;
      const bars = {
        kind: 'bar',
        x: [x],
        y,
        sort: isRanking(facts) && facts.shape?.sortedBy !== x.index ? 'given' : 'x',
      } as const;
      if (bars.sort === 'given' && facts.rows <= READABLE_BARS)
        return chart(`The statement ranks ${columnNames([x])}: bars in its order.`, offer(facts, bars));
      const isReadable = facts.rows <= READABLE_BARS || (facts.words.distribution && facts.rows <= READABLE_GROUPED);
      if (isReadable && hasPlaces(facts, [x]))
        return chart(`The rows are grouped by the number ${columnNames([x])}: bars.`, offer(facts, bars));
      // Where most steps have no row, a line would be dots as well.
      if ((facts.steps([x]) ?? Number.POSITIVE_INFINITY) <= 2 * facts.rows)
        return chart(
          `${columnNames([x])} has many values in order: a line.`,
          offer(facts, { kind: 'line', x: [x], y, sort: 'x' }),
        );
      const reason = `The values of ${columnNames([x])} follow no steps: dots.`;
      const [first] = y;
      if (first === undefined || y.length > 1) return table(reason.replace(': dots', ''));
      return chart(reason, offer(facts, { kind: 'scatter', x: [x], y: [first] }));
    },
  },
  {
    id: 'two-numbers',
    when: `Two measures of ${FEWEST_DOTS} to ${READABLE_DOTS.toLocaleString('en')} rows.`,
    example: 'Does the weight of a car depend on its horsepower?',
    propose: (facts) => {
      if (facts.measures.length !== 2 || facts.rows < FEWEST_DOTS) return undefined;
      if (dotsOf(facts).length === 0) return undefined;
      if (facts.rows <= READABLE_DOTS) return chart('Two numbers a row: dots.', ...dotsOf(facts));
      return table(tooManyDots(facts.rows), dotsOf(facts));
    },
  },
  {
    id: 'numbers-only',
    when: 'Numbers with nothing to set them against.',
    example: 'The prices of all products',
    propose: ({ measures }) =>
      table(
        measures.length === 2
          ? 'One of the two numbers has few different values: dots would lie on each other.'
          : 'The numbers have nothing to be set against.',
      ),
  },
];

const STEPS_UNKNOWN = 'Its steps, with those without a row, find no room.';
const tooManyDots = (rows: number): string => `${rows} dots hide each other; they can be gathered in cells.`;
const tooMany = (rows: number): string => `${rows} are too many to read as bars.`;

function lineOf(facts: ChoiceFacts, x: ColumnFacts): Proposal['offered'] {
  return facts.rows < FEWEST_POINTS ? [] : [offer(facts, { kind: 'line', x: [x], y: facts.measures, sort: 'x' })];
}

/** All that names a row, in the order of the result. */
function namesOfRows({ labels, times, parts }: ChoiceFacts): readonly ColumnFacts[] {
  return [...labels, ...times, ...parts].sort((a, b) => a.index - b.index);
}

/** Both come again, together they name a row, and most pairs are there: neither is a property of the other. */
function crosses(facts: ChoiceFacts, first: ColumnFacts, second: ColumnFacts): boolean {
  const comesAgain = [first, second].every(({ distinct, nulls }) => distinct + Math.min(nulls, 1) < facts.rows);
  return comesAgain && facts.rows * 2 >= first.distinct * second.distinct && facts.isUnique([first, second]);
}

/**
 * Of many bars the largest, or those that the statement ranks first. Not of several measures, which are ranked by one,
 * and not where equal ones would be cut apart at the first already.
 */
function topOf(facts: ChoiceFacts, x: readonly ColumnFacts[]): Proposal['offered'] {
  const y = only(facts.measures);
  if (y === undefined || !facts.hasTop(y, TOP_BARS, isRanking(facts))) return [];
  const sort = isRanking(facts) ? 'given' : 'value';
  return [offer(facts, { kind: 'bar', x: x.slice(0, MOST_LABEL_COLUMNS), y: [y], sort, limit: TOP_BARS })];
}

/** Whether an axis has room for each of its steps, those without a row too. */
function hasPlaces(facts: ChoiceFacts, x: readonly ColumnFacts[]): boolean {
  return facts.rows < FEWEST_POINTS || (facts.steps(x) ?? Number.POSITIVE_INFINITY) <= MOST_PLACES;
}

/** One bar of parts, where a share is asked for and the parts are all there. In place of a pie. */
function wholeOf(facts: ChoiceFacts): Proposal['offered'] {
  const [series, y] = [only(namesOfRows(facts)), only(facts.measures)];
  if (!facts.words.share || series === undefined || y === undefined || facts.rows > MOST_PARTS) return [];
  if (layoutOf(y) !== 'stacked' || facts.shape?.limited === true || y.nulls > 0) return [];
  return [offer(facts, { kind: 'bar', x: [], y: [y], series, layout: 'stacked' })];
}

/** Two measures as dots, the first across. */
function dotsOf(facts: ChoiceFacts): Proposal['offered'] {
  const [x, y, third] = facts.measures;
  if (x === undefined || y === undefined || third !== undefined || facts.rows < FEWEST_DOTS) return [];
  const isAsked = facts.words.relation;
  if (!isAsked && (facts.labels.length > 0 || Math.min(x.distinct, y.distinct) < FEWEST_PLACES)) return [];
  return [offer(facts, { kind: 'scatter', x: [x], y: [y] })];
}
