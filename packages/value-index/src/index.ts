export type { BuildProgress, BuildValueIndexOptions } from './build/build-options.ts';
export { buildValueIndex } from './build/build-value-index.ts';
export { isPersonalAttribute, PERSONAL_WORDS } from './build/personal-attributes.ts';
export type { AttributeStats, BuildStats, ValueIndexStats } from './index-stats.ts';
export type { LikeIndexOptions } from './like-index.ts';
export { likeIndex } from './like-index.ts';
export type { FindEmbeddings, OpenValueIndexOptions, SqliteValueIndex } from './search/open-value-index.ts';
export { openValueIndex } from './search/open-value-index.ts';
export type { EmbeddingsOfIndex } from './store/embeddings-of-index.ts';
