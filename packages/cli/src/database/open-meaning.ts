import { AskemaError, type CallContext, type EmbeddingModel, isAskemaError } from '@askema/core';
import type { EmbeddingsOfIndex } from '@askema/value-index';
import type { LoadedConfig } from '../config/load-config.ts';
import { embeddingsOf } from '../model/resolve-embeddings.ts';
import type { CommandContext } from '../process/command-context.ts';
import { printable } from '../terminal/printable.ts';

/** Finds the embedding model that an index was built with; undefined where it cannot be had, which was then told. */
export type OpenMeaning = (made: EmbeddingsOfIndex) => Promise<EmbeddingModel | undefined>;

/**
 * For one command: whatever keeps cells from being looked up by meaning is told once on stderr, and they are then
 * looked up by spelling alone.
 */
export function openMeaningFor(loaded: LoadedConfig, { host, err }: CommandContext): OpenMeaning {
  const told = new Set<string>();
  const tell = async (made: EmbeddingsOfIndex, reason: string): Promise<void> => {
    if (told.has(made.model)) return;
    told.add(made.model);
    const note = `Cells are not looked up by meaning: the value index has vectors of ${made.model}. ${reason}`;
    await err.write(`${err.yellow(printable(note))}\n`);
  };
  return async (made) => {
    try {
      return unlessItFails(await embeddingsOf(made, { loaded, env: host.env }), made, tell);
    } catch (error) {
      if (!isAskemaError(error)) throw error;
      await tell(made, error.message);
      return undefined;
    }
  };
}

/** A model whose first failure is told, and which then gives vectors that are like nothing. */
function unlessItFails(
  model: EmbeddingModel,
  made: EmbeddingsOfIndex,
  tell: (made: EmbeddingsOfIndex, reason: string) => Promise<void>,
): EmbeddingModel {
  let hasFailed = false;
  const embed = async (texts: readonly string[], context: CallContext) => {
    const embedded = await model.embed(texts, context);
    const other = embedded.vectors.find(({ length }) => length !== made.dimensions);
    if (other === undefined) return embedded;
    throw new AskemaError(
      'CONTRACT_MISMATCH',
      `It now gives vectors of length ${other.length}, and those of the index have ${made.dimensions}. Build the index again.`,
    );
  };
  return {
    provider: model.provider,
    modelId: model.modelId,
    dimensions: made.dimensions,
    async embed(texts, context) {
      if (!hasFailed) {
        try {
          return await embed(texts, context);
        } catch (error) {
          if (!isAskemaError(error) || error.code === 'ABORTED') throw error;
          hasFailed = true;
          await tell(made, error.message);
        }
      }
      return { vectors: texts.map(() => new Float32Array(made.dimensions)), usage: {} };
    },
  };
}
