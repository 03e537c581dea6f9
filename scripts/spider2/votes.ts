/**
 * Replays the recorded votes of 81 Snowflake questions (two models, 8 threads each) and prints how the vote does.
 * Nothing that decides sees a score; `official_score` is read when all decisions are made.
 *
 *   pnpm bars:vote            the bars
 *   pnpm bars:vote --parts    also the preset with one part of it left out
 *   pnpm bars:vote --lost     also each task with a right answer that was not chosen, and what spoke for it
 */
import { VOTE_PRESETS, type VoteOptions } from '@askema/text2sql';
import { DATA, hasVotes, readScores, readVotes } from './read-votes.ts';
import { type DecidedTask, decideAll, earned, endEarly, hasRight, rankTasks, sureWithoutOwn } from './score-votes.ts';

const MODELS = ['gpt-4o', 'o3'] as const;
/** Tasks of the recorded set; one of them has no votes at all. */
const TASKS = 81;
const COVERAGE = 0.4;
const RULES: readonly (readonly [string, VoteOptions])[] = [
  ['v5 (authors)', { preset: 'v5' }],
  ['paper', { preset: 'paper' }],
  ['askema', { preset: 'askema' }],
];
/** What `--parts` compares: the preset with one part of it left out or exchanged. */
const PARTS: readonly (readonly [string, VoteOptions])[] = [
  ['askema', {}],
  ['no partial agreement', { rules: { partialSupport: 0 } }],
  ['partial agreement up to 1/2', { rules: { partialSupport: 0.5 } }],
  ['all votes equal', { rules: { factors: VOTE_PRESETS.v5.factors } }],
  ['ties stay ties', { rules: { tieBreaks: [] } }],
  ['official key', { rules: { key: 'official' } }],
  ['blank columns excluded', { rules: { excluded: VOTE_PRESETS.v5.excluded } }],
];

if (!hasVotes()) {
  process.stderr.write(`No recorded votes in ${DATA}/spider2. Set ASKEMA_DATA to the folder that holds them.\n`);
  process.exit(1);
}

const tasks = readVotes();
const decided = MODELS.map((model) => {
  const own = tasks.filter((task) => task.model === model);
  return { model, byRule: RULES.map(([name, options]) => ({ name, options, all: decideAll(own, options) })) };
});
const scores = readScores();

print('model    rule           decided  right  ties  of which right answer in task  right with ties split');
for (const { model, byRule } of decided)
  for (const { name, all } of byRule) {
    const sure = all.filter(({ decision }) => decision.decision === 'decided');
    const tied = all.filter(({ decision }) => decision.decision === 'tie');
    const right = sum(sure.map((one) => earned(one, scores)));
    const withRight = tied.filter((one) => hasRight(one, scores)).length;
    const split = sum(all.map((one) => earned(one, scores)));
    print(
      `${model.padEnd(8)} ${name.padEnd(14)} ${pad(sure.length, 7)} ${pad(right, 6)} ${pad(tied.length, 5)} ${pad(withRight, 30)} ${pad(split.toFixed(2), 22)}`,
    );
  }
for (const { model, byRule } of decided)
  print(
    `${model}: any of 8 right ${byRule[0]?.all.filter((one) => hasRight(one, scores)).length} of ${TASKS}; at most ${atMost(byRule[0]?.all ?? [])} for a rule that settles the authors' ties rightly and overrules no majority`,
  );

print('\nmodel    rule           threads  needed until decided  saved  winners changed');
for (const { model, byRule } of decided)
  for (const { name, options, all } of byRule) {
    const { calls, used, changed } = endEarly(all, options);
    const saved = `${((100 * (calls - used)) / calls).toFixed(1)} %`;
    print(
      `${model.padEnd(8)} ${name.padEnd(14)} ${pad(calls, 7)} ${pad(used, 21)} ${pad(saved, 6)} ${pad(changed, 16)}`,
    );
  }

print(
  `\nmodel    sure by                        sure of ${TASKS}  right  share   (threshold from all other tasks, ${100 * COVERAGE} % sure)`,
);
for (const { model, byRule } of decided) {
  const all = byRule.find(({ name }) => name === 'askema')?.all ?? [];
  const ranked = rankTasks(all, scores);
  for (const [by, label] of [
    ['confidence', 'published formula'],
    ['fitted', 'logistic fit, leave-one-out'],
  ] as const) {
    const { sure, right } = sureWithoutOwn(ranked, by, COVERAGE);
    print(`${model.padEnd(8)} ${label.padEnd(30)} ${pad(sure, 10)} ${pad(right, 6)} ${pad(share(right, sure), 6)}`);
  }
  const fixed = all.filter(({ decision }) => decision.sure);
  const right = sum(fixed.map((one) => earned(one, scores)));
  print(
    `${model.padEnd(8)} ${'`sure` of the preset'.padEnd(30)} ${pad(fixed.length, 10)} ${pad(right, 6)} ${pad(share(right, fixed.length), 6)}`,
  );
}

if (process.argv.includes('--parts')) {
  print(`\nright with ties split       ${MODELS.join('   ')}`);
  for (const [name, options] of PARTS) {
    const figures = MODELS.map((model) => {
      const all = decideAll(
        tasks.filter((task) => task.model === model),
        options,
      );
      return sum(all.map((one) => earned(one, scores))).toFixed(2);
    });
    print(`${name.padEnd(27)} ${figures.map((figure) => figure.padStart(6)).join('  ')}`);
  }
}

if (process.argv.includes('--lost'))
  for (const { model, byRule } of decided) printLost(model, byRule.find(({ name }) => name === 'askema')?.all ?? []);

/** Unique majorities that are right, and ties with a right answer among those that tie. */
function atMost(all: readonly DecidedTask[]): number {
  return all.filter((one) => earned(one, scores) > 0).length;
}

function printLost(model: string, all: readonly DecidedTask[]): void {
  print(
    `\n${model}: tasks with a right answer that was not chosen. Votes and support of the winner and of the best right cluster`,
  );
  for (const one of all) {
    if (earned(one, scores) === 1 || !hasRight(one, scores)) continue;
    const { clusters, winner, reasons } = one.decision;
    const best = clusters.find(({ members }) => members.includes(winner ?? '')) ?? clusters[0];
    const right = clusters.find(({ members }) => members.some((id) => scores.get(id) === true));
    const place = right === undefined ? 'excluded' : `${clusters.indexOf(right) + 1} of ${clusters.length}`;
    const figures = [best, right].map((c) => (c === undefined ? '-' : `${c.votes.toFixed(2)}/${c.support.toFixed(2)}`));
    print(
      `  ${one.task.instance.padEnd(12)} ${figures.map((text) => text.padEnd(11)).join(' ')} ${place.padEnd(9)} ${reasons.join(', ')}`,
    );
  }
}

function share(part: number, whole: number): string {
  return whole === 0 ? '-' : `${((100 * part) / whole).toFixed(0)} %`;
}

function pad(value: string | number, width: number): string {
  return String(value).padStart(width);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
