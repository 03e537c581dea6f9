/**
 * Holds the port of Spider 2.0's evaluator against what the Python evaluator said: every recorded answer with its
 * score, every accepted result against its own task, and the accepted results with their columns shifted against each
 * other, which the evaluator cannot see.
 *
 *   pnpm bars:official
 */
import { DATA } from './read-votes.ts';
import { hasOfficialData, readAnswers, readOfficialTasks, scoreCsv, shiftColumns } from './score-official.ts';

if (!hasOfficialData()) {
  process.stderr.write(
    `No tasks, results and votes in ${DATA}/spider2. Set ASKEMA_DATA to the folder that holds them.\n`,
  );
  process.exit(1);
}

const started = performance.now();
const tasks = new Map((await readOfficialTasks()).map((task) => [task.id, task]));

const answers = readAnswers();
const scores = answers.map((answer) => {
  const task = tasks.get(answer.id);
  return {
    ...answer,
    official: answer.official,
    plain: task ? scoreCsv(task, answer.csv, false) : 0,
    strict: task ? scoreCsv(task, answer.csv, true) : 0,
  };
});
const others = scores.filter(({ official, plain }) => official !== plain);
print(`recorded answers: ${answers.length}, the same score: ${answers.length - others.length}`);
for (const { name, official, plain } of others) print(`  ${name}: official ${official}, here ${plain}`);
print(
  `  right: ${count(scores, 'official')} official, ${count(scores, 'plain')} here, ${count(scores, 'strict')} with rows kept`,
);

const golds = [...tasks.values()].flatMap((task) =>
  task.accepted.map(({ file, csv }) => ({
    task,
    file,
    csv,
    plain: scoreCsv(task, csv, false),
    strict: scoreCsv(task, csv, true),
  })),
);
print(
  `accepted results: ${golds.length}, right for their own task: ${count(golds, 'plain')}, with rows kept: ${count(golds, 'strict')}`,
);
for (const { file, plain, strict } of golds)
  if (plain === 0 || strict === 0) print(`  ${file}: ${plain}, rows kept ${strict}`);

const shifted = golds.flatMap(({ task, csv }) => {
  const text = shiftColumns(csv);
  return text === undefined ? [] : [{ plain: scoreCsv(task, text, false), strict: scoreCsv(task, text, true) }];
});
print(
  `columns shifted: ${shifted.length}, still right: ${count(shifted, 'plain')}, with rows kept: ${count(shifted, 'strict')}`,
);
print(`${((performance.now() - started) / 1000).toFixed(1)} s`);

function count<Key extends string>(items: readonly Readonly<Record<Key, number>>[], key: Key): number {
  return items.filter((item) => item[key] === 1).length;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
