export {
  type LoopbackEmbeddingReply,
  type LoopbackEmbeddingRequest,
  type LoopbackEmbeddingServer,
  loopbackEmbeddingServer,
} from './loopback-embedding-server.ts';
export { type LoopbackModelServer, type LoopbackRequest, loopbackModelServer } from './loopback-model-server.ts';
export type { LoopbackAnswer, LoopbackFailure, LoopbackReply, StreamFault, WireProtocol } from './loopback-reply.ts';
export type { WireRequest, WireTurn } from './wire-request.ts';
