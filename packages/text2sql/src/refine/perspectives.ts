/**
 * Ways to go about a question, one a thread. Threads that differ by their samples alone repeat each other's mistakes (section 3.2.5: "different
 * views of the columns"); these put another doubt first each. The first thread has none.
 */
export const PERSPECTIVES: readonly string[] = [
  '',
  'Before you write, work back from the answer: what does one row of it stand for, which relation holds each such thing exactly once, and which join could repeat or lose some of them?',
  'Before you write, go through the question word by word: which attribute or stored value does each word mean, could another attribute be meant as well, and which of the two fits better what is stored?',
  'Before you write, write down the steps by which a person would find the answer by hand, with the conditions of each step; then put them together.',
];

/** The perspective of a thread, from 0. */
export function perspectiveOf(thread: number): string {
  return PERSPECTIVES[thread % PERSPECTIVES.length] ?? '';
}
