/** What tracing costs. Usage: npm run -s tracing --prefix bench [-- --quick] */
import type { Bench } from './harness/bench.ts';
import { main } from './harness/main.ts';

export const bench: Bench = {
  id: 'tracing',
  title: 'What tracing costs',
  about:
    'Runs, calls and questions with `@askema/otel` against the same without it. All ways take turns in one process. Figures are processor time, medians of the turns; `more` is the median of the differences within a turn.',
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
        'Questions of the flow `plain` to a SQLite file, with a model that answers at once, which no real one does. `more, %` is a share of that question, the last column one of a question whose model takes 200 ms. With sampling off, an SDK is there and keeps nothing; with sampling on, it drops each span at its end. All ways have a context manager, as with an SDK.',
      measure: async (options) => (await import('./tracing/measure-questions.ts')).measureQuestions(options),
    },
  ],
  notes: [
    'A question whose model answers at once makes about eight spans. With sampling off the SDK is asked for the run alone; the row `one span of the SDK, dropped` shows what that takes without us. The second row shows the error of the measurement. The last column is what users see: a call of a model takes 200 ms or more.',
  ],
};

await main(import.meta.url, bench);
