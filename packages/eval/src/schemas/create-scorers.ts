import type { EmbeddingModel } from '@askema/core';
import { type ComparedSchema, comparedSchemaOf } from './compared-schema.ts';
import type { Synonyms } from './name-likeness.ts';
import { embedNames, type NamePorts } from './name-ports.ts';
import type { SchemaScorer, ScoredSchema, ScorerName } from './schema-score.ts';
import { scoreAuthors } from './score-authors.ts';
import { scorePaper } from './score-paper.ts';
import { scoreStrict } from './score-strict.ts';

/** What scorers may use beside the spelling of names; each report says which were on. */
export interface ScorerPorts {
  /** For all scorers; see `openWordNet`. */
  readonly synonyms?: Synonyms | undefined;
  /** For `paper` and `authors`; the paper has all-MiniLM-L6-v2. */
  readonly embeddings?: EmbeddingModel | undefined;
}

type Compare = (
  gold: ComparedSchema,
  predicted: ComparedSchema | undefined,
  ports: NamePorts,
) => ScoredSchema | undefined;

const COMPARE: Readonly<Record<ScorerName, Compare>> = {
  strict: (gold, predicted, { synonyms }) => scoreStrict(gold, predicted, { synonyms }),
  paper: scorePaper,
  authors: scoreAuthors,
};

/** The scorers of these names, with their ports. A scorer with embeddings rejects with what the model rejects with. */
export function createScorers(names: readonly ScorerName[], ports: ScorerPorts = {}): readonly SchemaScorer[] {
  const { synonyms, embeddings } = ports;
  const known = new Map<string, Float32Array>();
  return names.map((name) => {
    const model = name === 'strict' ? undefined : embeddings;
    const similarity = model === undefined ? 'off' : `${model.provider}:${model.modelId}`;
    return {
      name,
      ports: [`synonyms: ${synonyms?.name ?? 'off'}`, ...(name === 'strict' ? [] : [`similarity: ${similarity}`])],
      async score(gold, predicted) {
        const other = predicted === undefined ? undefined : comparedSchemaOf(predicted);
        const on: NamePorts =
          model === undefined || other === undefined
            ? { synonyms }
            : { synonyms, similarity: await embedNames([...namesOf(gold), ...namesOf(other)], model, { known }) };
        return COMPARE[name](gold, other, on);
      },
    };
  });
}

function* namesOf({ relations }: ComparedSchema): Generator<string> {
  for (const { name, attributes } of relations) {
    yield name;
    for (const attribute of attributes) yield attribute.name;
  }
}
