import { buildValueIndex } from '../build/build-value-index.ts';
import { cellCatalog, cellDatabase } from './cell-database.ts';
import { KILLED_CELLS } from './killed-cells.ts';

// Commits after every batch, says so when it is in the midst of the second attribute, and waits there to be killed.
performance.now = (
  (now) => () =>
    now() * 1e6
)(performance.now.bind(performance));
const { adapter } = cellDatabase(KILLED_CELLS);
const stalling = {
  ...adapter,
  executor: {
    execute(sql: string, options: Parameters<typeof adapter.executor.execute>[1]) {
      const events = adapter.executor.execute(sql, options);
      return sql.includes('b_middle') && sql.startsWith('SELECT DISTINCT') ? stallAfterRows(events) : events;
    },
  },
};

async function* stallAfterRows<T extends { readonly type: string }>(events: AsyncIterable<T>): AsyncIterable<T> {
  let batches = 0;
  for await (const event of events) {
    if (event.type === 'rows') batches += 1;
    if (batches === 2) {
      process.send?.('in the midst');
      await new Promise(() => setInterval(() => undefined, 1_000));
    }
    yield event;
  }
}

await buildValueIndex({
  adapter: stalling,
  catalog: cellCatalog(KILLED_CELLS),
  path: process.argv[2] ?? '',
});
