/** What tracing costs. Usage: npm run -s tracing --prefix bench [-- --quick] */
import type { Bench } from './harness/bench.ts';
import { main } from './harness/main.ts';

export const bench: Bench = {
  id: 'tracing',
  title: 'What tracing costs',
  about:
    'Runs, calls and questions with `@askema/otel` against the same without it. Both ways take turns in one process; the figures are medians of the turns, by processor time; what a way takes more is the median of what it takes more within a turn.',
  peers: ['@opentelemetry/api', '@opentelemetry/sdk-metrics', '@opentelemetry/sdk-trace'],
  parts: [
    {
      kind: 'measurement',
      id: 'spans',
      title: 'A span without an SDK',
      about: 'What a run of ten steps, a model call and a statement take more with tracing, for each span.',
      measure: async (options) => (await import('./tracing/measure-spans.ts')).measureSpans(options),
    },
    {
      kind: 'measurement',
      id: 'questions',
      title: 'A question',
      about:
        'Questions of the flow `plain` to a SQLite file, with a model that answers at once, which no real one does: of the time that this process alone works, and of a question whose model takes 200 ms. With sampling off, an SDK is there and keeps nothing; with sampling on, it drops each span at its end. A context manager is there, as with each SDK.',
      measure: async (options) => (await import('./tracing/measure-questions.ts')).measureQuestions(options),
    },
  ],
  notes: [
    'A question whose model answers at once makes about eight spans. With sampling off only the run asks the SDK, which takes its part for the one span that it drops; the second row shows what the measurement itself is off by. The last column says what that is of a question as users know it: a call of a model takes 200 ms or more.',
  ],
};

await main(import.meta.url, bench);
