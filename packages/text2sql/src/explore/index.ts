export * from './exploration.ts';
export * from './exploration-section.ts';
export * from './explore-columns.ts';
export { exploreForQuestion, profileForQuestion } from './explore-for-question.ts';
