export { lexical } from './lexical.ts';
