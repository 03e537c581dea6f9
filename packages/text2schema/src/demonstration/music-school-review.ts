import type { z } from 'zod';
import type { reviewForm } from '../tasks/review.ts';

type ReviewForm = z.input<typeof reviewForm>;

/** Of a first model, in which Student had no City, Borrow had an attribute Loan ID, and Teacher was `many` in Give. */
export const DEMONSTRATION_REJECTION: ReviewForm = {
  thinking:
    'Finding 1 is right: a loan has no number in the requirement. City is named for students and is missing. A course is given by one teacher, so Teacher is `one` in Give. Administrators are only permitted to manage courses, so no relationship is missing.',
  answers: [
    { finding: 1, stands: true, remedy: 'Remove Loan ID from Borrow; Borrow Time tells the loans of one pair apart.' },
  ],
  issues: [
    {
      kind: 'missing attribute',
      subject: 'Student.City',
      evidence: 'student number, name, phone number, postal code and city',
      problem: 'The city of a student cannot be kept.',
      remedy: 'Add City to Student.',
    },
    {
      kind: 'wrong cardinality',
      subject: 'Give',
      evidence: 'is given by one teacher',
      problem: 'Teacher is `many`, so a course could have several teachers.',
      remedy: 'Make Teacher `one` and leave Course `many` in Give.',
    },
  ],
  verdict: 'reject',
};

/** Of the mended one. */
export const DEMONSTRATION_APPROVAL: ReviewForm = {
  thinking:
    'Every fact stands at its set, the student of a payment is the relationship Make, loans are told apart by Borrow Time, and the cardinalities fit the scenarios. Administrators are not kept.',
  answers: [],
  issues: [],
  verdict: 'approve',
};
