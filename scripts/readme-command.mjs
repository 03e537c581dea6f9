/**
 * The two commands of the README, taken from its text, so that what CI runs is what a reader copies.
 * Plain JavaScript: it runs before anything is installed, on whatever Node there is.
 *
 *   node scripts/readme-command.mjs print answer|test    prints the command
 *   node scripts/readme-command.mjs answer                runs the first one and checks that its answer is right
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const commands = [...readme.matchAll(/^(npx -y pnpm@10 -s .+)$/gm)].map((match) => match[1]);
const find = {
  answer: commands.find((line) => / ask /.test(line)),
  test: commands.find((line) => / test$/.test(line)),
};

const [first, second] = process.argv.slice(2);
if (first === 'print') {
  if (!find[second]) throw new Error(`README.md has no command for ${second}`);
  console.log(find[second]);
} else if (first === 'answer') {
  if (!find.answer) throw new Error('README.md has no line that starts with `npx -y pnpm@10 -s ask`');
  const started = Date.now();
  const result = spawnSync('bash', ['-c', find.answer], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  process.stderr.write(result.stderr);
  process.stdout.write(result.stdout);
  if (result.status !== 0) throw new Error(`the command exited with ${result.status}`);
  // The rows as the README shows them, between the fences that follow the command.
  const shown = readme.slice(readme.indexOf(find.answer)).split('```')[2] ?? '';
  const rows = shown
    .split('\n')
    .slice(1)
    .map((line) => line.trimEnd())
    .filter(Boolean);
  if (rows.length < 6) throw new Error('README.md shows no answer behind its first command');
  for (const row of rows) {
    if (!result.stdout.split('\n').some((line) => line.trimEnd() === row)) {
      throw new Error(`README.md shows a line that the command did not print: ${row}`);
    }
  }
  console.log(`answered as the README shows, in ${((Date.now() - started) / 1000).toFixed(1)} s`);
} else {
  throw new Error('usage: readme-command.mjs print answer|test, or answer');
}
