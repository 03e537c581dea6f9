/** Questions whose answers are names and numbers, so that engines cannot differ in how they write a point in time. */
export const QUESTIONS: readonly string[] = [
  'How many customers are there in each country?',
  'Which five customers spent the most on orders that were not cancelled? Show the name and the total.',
  'Which products have never been ordered? Show the product name.',
  'What is the total of all payments for each payment method?',
  'How many orders were placed in each month of 2024? Show the month as a number from 1 to 12 and the count.',
  'Which employee has handled the most orders? Show the name and the number of orders.',
  'What is the average rating of products in each category? Show the category name and the average rounded to two decimals.',
  'Which suppliers deliver products that are discontinued? Show each supplier name once.',
  'Which customers have placed an order but have never written a review? Show how many there are.',
  'For each loyalty level, including customers without one, how many customers are there and how many of them take the newsletter?',
];
