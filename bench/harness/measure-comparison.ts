import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Comparison } from './bench.ts';
import type { ChildRequest } from './child.ts';
import type { ComparisonResult, ComparisonRow, Measured } from './result.ts';

const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));
const FLAGS = ['--conditions=@askema/source', '--disable-warning=ExperimentalWarning', '--expose-gc'];

/** All contenders at all sizes, one process each, one after the other. A size that took too long ends its contender. */
export async function measureComparison(
  file: string,
  comparison: Comparison,
  quick: boolean,
  say: (line: string) => void,
): Promise<ComparisonResult> {
  const sizes = quick ? comparison.size.quick : comparison.size.values;
  const seconds = (quick ? 0.25 : 1) * (comparison.seconds ?? 90);
  const rows: ComparisonRow[] = [];
  const ended = new Map<string, string>();
  for (const size of sizes) {
    for (const { name, own = false, most, slow = false } of comparison.contenders) {
      if (quick && slow) continue;
      const reason = most !== undefined && size > most.size ? most.why : ended.get(name);
      const request = { file, comparison: comparison.id, contender: name, size, smallest: Math.min(...sizes), quick };
      const answer = reason === undefined ? await measureInChild(request, seconds) : { absent: reason };
      if (answer.measured === undefined && answer.absent !== undefined && reason === undefined)
        ended.set(name, answer.absent);
      rows.push({ contender: name, own, size, ...answer });
      say(`${comparison.id} ${size.toLocaleString('en')} ${name}: ${describe(answer)}`);
    }
  }
  const { kind, id, title, about, peer, perUnit = false, grows = true, memory = true } = comparison;
  return { kind, id, title, about, sizeName: comparison.size.name, peer, perUnit, grows, memory, rows };
}

type Answer = Pick<ComparisonRow, 'absent' | 'measured'>;

function describe({ measured, absent }: Answer): string {
  return measured === undefined ? `absent: ${absent}` : `${measured.medianMs.toPrecision(3)} ms`;
}

function measureInChild(request: ChildRequest, seconds: number): Promise<Answer> {
  const child = fork(CHILD, [JSON.stringify(request)], {
    execArgv: FLAGS,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const { promise, resolve } = Promise.withResolvers<Answer>();
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    errors = `${errors}${chunk.toString()}`.slice(-4_000);
  });
  const timer = setTimeout(() => {
    child.kill('SIGKILL');
    resolve({ absent: `not done after ${seconds} s` });
  }, seconds * 1_000);
  child.on('message', (message) => resolve(message as { readonly absent: string } | { readonly measured: Measured }));
  child.on('exit', (code) => {
    clearTimeout(timer);
    resolve({ absent: `failed (exit ${code}): ${reasonIn(errors)}` });
  });
  return promise;
}

/** The line of a stack trace that says what was wrong. */
function reasonIn(errors: string): string {
  const lines = errors.split('\n').map((line) => line.trim());
  return (lines.findLast((line) => /^\w*Error\b/.test(line)) ?? lines.findLast((line) => line !== '') ?? '').slice(
    0,
    200,
  );
}
