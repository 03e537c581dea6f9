/**
 * The program of the engine's process: `@askema/duckdb/worker`. It is started by the adapter with `child_process.fork`,
 * and is of no use by itself. It imports nothing of core at run time, so that it is ready within some tens of
 * milliseconds.
 */
import { type OpenedProcess, runProcess } from '@askema/adapter-kit/process';
import { sniffFile } from './files/sniff-file.ts';
import { type DuckdbTalk, MEMORY_MARK, PROTOCOL_VERSION, type Unopenable, type WorkerSettings } from './protocol.ts';
import { answerRequest } from './worker/answer-request.ts';
import { type Driver, loadDriver } from './worker/driver.ts';
import { failureOf } from './worker/engine-failure.ts';
import { openEngine, RelationProblem } from './worker/open-engine.ts';

/** What Node, the driver and what DuckDB does not count take beside its memory limit. */
const SLACK_BYTES = 512 * 1024 * 1024;

let driver: typeof Driver;

runProcess<DuckdbTalk>({
  packageName: '@askema/duckdb',
  protocol: PROTOCOL_VERSION,
  // DuckDB keeps its own limit, but for single cells and what stands between operators.
  memory: ({ maxMemoryBytes }) => ({ bytes: maxMemoryBytes * 1.25 + SLACK_BYTES, mark: MEMORY_MARK }),
  async load() {
    driver = loadDriver();
  },
  open,
});

async function open(
  settings: WorkerSettings,
): Promise<OpenedProcess<DuckdbTalk> | { readonly unopenable: Unopenable }> {
  if (settings.source.type === 'database') {
    const content = await sniffFile(settings.source.file).catch(() => 'unreadable' as const);
    if (content !== 'duckdb') return { unopenable: { type: 'noDatabase', content } };
  }
  try {
    const engine = await openEngine(driver, settings);
    return {
      ready: { problems: engine.problems },
      answer: (request, conversation) => answerRequest(driver, engine, request, conversation),
      explain: failureOf,
      close(isBusy) {
        // Closing the database, and an orderly end of the process, would wait for the statements that run.
        if (isBusy) process.kill(process.pid, 'SIGKILL');
        engine.close();
      },
    };
  } catch (thrown) {
    const problem = thrown instanceof RelationProblem ? thrown : undefined;
    const failure = failureOf(problem === undefined ? thrown : problem.cause);
    return { unopenable: { type: 'unopenable', failure, relation: problem?.relation } };
  }
}
