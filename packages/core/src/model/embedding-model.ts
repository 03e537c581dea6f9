import type { CallContext } from '../context/call-context.ts';
import type { Usage } from './usage.ts';

/** Turns texts into vectors of one length. */
export interface EmbeddingModel {
  readonly provider: string;
  readonly modelId: string;
  readonly dimensions?: number | undefined;
  embed(
    texts: readonly string[],
    context: CallContext,
  ): Promise<{ readonly vectors: readonly Float32Array[]; readonly usage: Usage }>;
}
