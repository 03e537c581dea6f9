import type { Measurement } from '../harness/bench.ts';
import { remarkOnGrowth, remarkOnPeer } from '../harness/remarks.ts';
import { exponentOf } from '../harness/render.ts';
import { CONTENDERS } from './contenders.ts';
import { type ContenderFigures, measureInChild } from './measure-contender.ts';

const SEED = 1;

interface Sizes {
  readonly sizes: readonly number[];
  readonly quick: readonly number[];
  /** For the look-ups of one kind by one contender. */
  readonly seconds: number;
  /** Names of contenders; default: all. */
  readonly only?: readonly string[] | undefined;
}

interface Row {
  readonly contender: string;
  readonly own: boolean;
  readonly size: number;
  readonly figures: ContenderFigures | string;
}

/** Two tables of one measurement: what building takes, and what look-ups take and find. */
export function valueTables({ sizes, quick, seconds, only }: Sizes): readonly [Measurement, Measurement] {
  let measured: Promise<readonly Row[]> | undefined;
  const measure = (isQuick: boolean): Promise<readonly Row[]> => {
    measured ??= measureAll(isQuick ? quick : sizes, isQuick ? seconds / 4 : seconds, only);
    return measured;
  };
  return [
    {
      kind: 'measurement',
      id: 'build',
      title: 'Building',
      about:
        'Distinct values of twenty attributes: names of persons, places and organisations, addresses, codes (seeded). *Grew as* is the power of the number of values by which processor time grew. *Memory* is by how much the process grew.',
      measure: async ({ quick: isQuick }) => buildTable(await measure(isQuick)),
    },
    {
      kind: 'measurement',
      id: 'look-ups',
      title: 'Look-ups',
      about: `250 look-ups of each kind, or as many as were done in ${seconds} s (a quarter of that with \`--quick\`). A value counts as found when it is among the first five. The kinds are: as stored; in another case and without accents; words in another order; one letter wrong, missing or swapped; one word abbreviated. *Ratio* is the p50 divided by that of the value index.`,
      measure: async ({ quick: isQuick }) => lookupTable(await measure(isQuick)),
    },
  ];
}

async function measureAll(sizes: readonly number[], seconds: number, only: readonly string[] | undefined) {
  const rows: Row[] = [];
  for (const size of sizes)
    for (const { name, maxValues, why } of CONTENDERS) {
      if (only?.includes(name) === false) continue;
      const own = name === 'value-index';
      const figures = size > maxValues ? why : await measureInChild({ contender: name, size, seconds, seed: SEED });
      rows.push({ contender: name, own, size, figures });
      process.stderr.write(`${size} ${name}: ${typeof figures === 'string' ? 'not tried' : `${figures.buildMs} ms`}\n`);
    }
  return rows;
}

/** A peer that finds less than this share of what ours finds does other work, and its time says nothing. */
const COMPARABLE = 0.9;

/** The rows of ours, each with that of a smaller size and those of peers of the same size. */
function ownRows(rows: readonly Row[]) {
  return rows.flatMap(({ own, size, contender, figures }) => {
    if (!own || typeof figures === 'string') return [];
    const peers = rows.flatMap((row) =>
      row.own || row.size !== size || typeof row.figures === 'string'
        ? []
        : [{ name: row.contender, figures: row.figures }],
    );
    const before = smaller(rows, { own, size, contender, figures });
    return [{ values: `${size.toLocaleString('en')} values`, size, figures, before, peers }];
  });
}

function remarksOnBuilding(rows: readonly Row[]): readonly string[] {
  return ownRows(rows).flatMap(({ values, size, figures, before, peers }) => {
    const at = `Building, ${values}`;
    const grew =
      before &&
      remarkOnGrowth(at, exponentOf(before.size, before.figures.cpuMs, size, figures.cpuMs), before.size, size);
    const slower = peers.map((peer) => remarkOnPeer(at, figures.buildMs, peer.figures.buildMs, peer.name));
    return [...slower, grew].filter((remark) => remark !== undefined);
  });
}

function remarksOnLookups(rows: readonly Row[]): readonly string[] {
  return ownRows(rows).flatMap(({ values, size, figures, before, peers }) =>
    figures.lookups.flatMap(({ kind, p50, recall }, index) => {
      const at = `Look-ups, ${kind}, ${values}`;
      const then = before?.figures.lookups[index]?.p50;
      const grew =
        before && then !== undefined
          ? remarkOnGrowth(at, exponentOf(before.size, then, size, p50), before.size, size)
          : undefined;
      const slower = peers.map((peer) => {
        const theirs = peer.figures.lookups[index];
        if (theirs === undefined || theirs.recall < recall * COMPARABLE) return undefined;
        return remarkOnPeer(at, p50, theirs.p50, peer.name);
      });
      return [...slower, grew].filter((remark) => remark !== undefined);
    }),
  );
}

function buildTable(rows: readonly Row[]) {
  return {
    remarks: remarksOnBuilding(rows),
    columns: ['values', '', 'seconds', 'seconds of processor', 'grew as', 'MB on disk', 'MB of memory'],
    rows: rows.map((row) => {
      const { size, figures } = row;
      if (typeof figures === 'string')
        return [size.toLocaleString('en'), label(row), `not tried: ${figures}`, '', '', '', ''];
      const before = smaller(rows, row);
      return [
        size.toLocaleString('en'),
        label(row),
        figures.buildMs / 1_000,
        figures.cpuMs / 1_000,
        before === undefined ? '' : growth(before.size, before.figures.cpuMs, size, figures.cpuMs),
        figures.bytesOnDisk === undefined ? 'nothing' : figures.bytesOnDisk / 1e6,
        figures.memoryBytes / 1e6,
      ];
    }),
  };
}

function lookupTable(rows: readonly Row[]) {
  return {
    remarks: remarksOnLookups(rows),
    columns: ['values', '', 'look-up', 'done', 'p50 ms', 'p95 ms', 'recall@5', 'ratio', 'grew as'],
    rows: rows.flatMap((row) => {
      const { size, figures } = row;
      if (typeof figures === 'string') return [];
      const own = rows.find((other) => other.own && other.size === size)?.figures;
      const before = smaller(rows, row);
      return figures.lookups.map(({ kind, done, p50, p95, recall }, at) => {
        const ours = typeof own === 'object' ? own.lookups[at]?.p50 : undefined;
        const then = before?.figures.lookups[at]?.p50;
        return [
          size.toLocaleString('en'),
          label(row),
          kind,
          done,
          p50,
          p95,
          `${(recall * 100).toFixed(1)} %`,
          ours === undefined ? '' : p50 / ours,
          before === undefined || then === undefined ? '' : growth(before.size, then, size, p50),
        ];
      });
    }),
  };
}

const label = ({ contender, own }: Row): string => (own ? `**${contender}**` : contender);

function smaller(
  rows: readonly Row[],
  { contender, size }: Row,
): { size: number; figures: ContenderFigures } | undefined {
  const found = rows.findLast((row) => row.contender === contender && row.size < size);
  return found === undefined || typeof found.figures === 'string'
    ? undefined
    : { size: found.size, figures: found.figures };
}

const growth = (sizeBefore: number, before: number, size: number, now: number): string =>
  `n^${exponentOf(sizeBefore, before, size, now).toFixed(2)}`;
