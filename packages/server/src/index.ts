export * from './contract.ts';
export { createServer } from './create-server.ts';
