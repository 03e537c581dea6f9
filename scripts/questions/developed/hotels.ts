import { type Business, day, oneOf, person, times, whole } from '../business.ts';

export const hotels: Business = {
  name: 'hotels',
  ddl: `
CREATE TABLE hotel (hotel_id INTEGER PRIMARY KEY, hotel_name TEXT NOT NULL, city TEXT NOT NULL, stars INTEGER NOT NULL,
  has_pool BOOLEAN NOT NULL);
CREATE TABLE room (room_id INTEGER PRIMARY KEY, hotel_id INTEGER NOT NULL REFERENCES hotel (hotel_id),
  room_number TEXT NOT NULL, room_type TEXT NOT NULL, price_per_night REAL NOT NULL);
CREATE TABLE guest (guest_id INTEGER PRIMARY KEY, name TEXT NOT NULL, nationality TEXT NOT NULL, email TEXT,
  vip BOOLEAN NOT NULL);
CREATE TABLE booking (booking_id INTEGER PRIMARY KEY, guest_id INTEGER NOT NULL REFERENCES guest (guest_id),
  room_id INTEGER NOT NULL REFERENCES room (room_id), check_in DATE NOT NULL, check_out DATE NOT NULL,
  booked_on DATE NOT NULL, source TEXT NOT NULL, total_price REAL NOT NULL, cancelled BOOLEAN NOT NULL);
CREATE TABLE review (review_id INTEGER PRIMARY KEY, booking_id INTEGER NOT NULL REFERENCES booking (booking_id),
  rating INTEGER NOT NULL, comment TEXT, reviewed_on DATE NOT NULL);`,
  rows: (random) => ({
    hotel: [
      [1, 'Grand Plaza', 'Vienna', 5, 1],
      [2, 'City Inn', 'Prague', 3, 0],
      [3, 'Seaside Resort', 'Split', 4, 1],
      [4, 'Alpine Lodge', 'Innsbruck', 4, 0],
      [5, 'Budget Stay', 'Prague', 2, 0],
      [6, 'Riverside', 'Vienna', 4, 1],
    ],
    room: times(80, (id) => [
      id,
      whole(random, 1, 5),
      String(100 + id),
      oneOf(random, ['Single', 'Double', 'Suite', 'Family']),
      5 * whole(random, 10, 80),
    ]),
    guest: times(130, (id) => [
      id,
      person(id),
      oneOf(random, ['Austrian', 'Czech', 'French', 'Japanese', 'Brazilian']),
      random() < 0.2 ? null : `guest${id}@mail.example`,
      random() < 0.15 ? 1 : 0,
    ]),
    booking: times(900, (id) => {
      const checkIn = day(random);
      const at = Date.parse(checkIn);
      const iso = (days: number): string => new Date(at + days * 86_400_000).toISOString().slice(0, 10);
      return [
        id,
        whole(random, 1, 122),
        whole(random, 1, 76),
        checkIn,
        iso(whole(random, 1, 9)),
        iso(-whole(random, 0, 90)),
        oneOf(random, ['Website', 'Booking.com', 'Expedia', 'Walk-in']),
        10 * whole(random, 6, 300),
        random() < 0.12 ? 1 : 0,
      ];
    }),
    review: times(350, (id) => [
      id,
      whole(random, 1, 900),
      whole(random, 1, 10),
      random() < 0.5 ? null : oneOf(random, ['Great', 'Noisy', 'Friendly staff', 'Too expensive']),
      day(random),
    ]),
  }),
  questions: [
    ['How many hotels have a pool?', 'SELECT COUNT(*) FROM hotel WHERE has_pool = 1'],
    [
      'How many rooms does each hotel have?',
      'SELECT hotel_name, COUNT(*) FROM hotel JOIN room USING (hotel_id) GROUP BY hotel_id',
      'SELECT hotel_name, COUNT(room_id) FROM hotel LEFT JOIN room USING (hotel_id) GROUP BY hotel_id',
    ],
    [
      'What is the average price per night of a suite?',
      `SELECT AVG(price_per_night) FROM room WHERE room_type = 'Suite'`,
    ],
    [
      'Which guests made more than 10 bookings?',
      'SELECT name FROM guest JOIN booking USING (guest_id) GROUP BY guest_id HAVING COUNT(*) > 10',
    ],
    ['What percentage of bookings were cancelled?', 'SELECT 100.0 * SUM(cancelled = 1) / COUNT(*) FROM booking'],
    [
      'Average rating by hotel',
      `SELECT hotel_name, AVG(rating) FROM review JOIN booking USING (booking_id) JOIN room USING (room_id)
       JOIN hotel USING (hotel_id) GROUP BY hotel_id`,
    ],
    [
      'How many bookings came from Expedia in 2024?',
      `SELECT COUNT(*) FROM booking WHERE source = 'Expedia' AND booked_on LIKE '2024-%'`,
    ],
    ['List the four-star hotels in Vienna', `SELECT hotel_name FROM hotel WHERE stars = 4 AND city = 'Vienna'`],
    [
      'Total price of bookings by source, highest first',
      'SELECT source, SUM(total_price) FROM booking GROUP BY source ORDER BY 2 DESC',
    ],
    ['How many VIP guests do we have?', 'SELECT COUNT(*) FROM guest WHERE vip = 1'],
    [
      'Which guests have never booked anything?',
      'SELECT name FROM guest WHERE guest_id NOT IN (SELECT guest_id FROM booking)',
    ],
    [
      'How many check-ins were there in August 2024?',
      `SELECT COUNT(*) FROM booking WHERE check_in LIKE '2024-08-%'`,
      `SELECT COUNT(*) FROM booking WHERE check_in LIKE '2024-08-%' AND cancelled = 0`,
    ],
    [
      'What is the cheapest room in Prague?',
      `SELECT room_id FROM room JOIN hotel USING (hotel_id) WHERE city = 'Prague' AND price_per_night =
       (SELECT MIN(price_per_night) FROM room JOIN hotel USING (hotel_id) WHERE city = 'Prague')`,
      `SELECT room_number FROM room JOIN hotel USING (hotel_id) WHERE city = 'Prague' AND price_per_night =
       (SELECT MIN(price_per_night) FROM room JOIN hotel USING (hotel_id) WHERE city = 'Prague')`,
    ],
    [
      'Number of bookings per nationality',
      'SELECT nationality, COUNT(*) FROM booking JOIN guest USING (guest_id) GROUP BY nationality',
    ],
    ['Which hotels are not in Prague?', `SELECT hotel_name FROM hotel WHERE city <> 'Prague'`],
    ['How many reviews have a rating of at least 8?', 'SELECT COUNT(*) FROM review WHERE rating >= 8'],
    ['Which guests have no email address?', 'SELECT name FROM guest WHERE email IS NULL'],
    [
      'Bookings per year',
      `SELECT strftime('%Y', booked_on), COUNT(*) FROM booking GROUP BY 1`,
      `SELECT CAST(strftime('%Y', booked_on) AS INTEGER), COUNT(*) FROM booking GROUP BY 1`,
    ],
    [
      'What was the highest total price of a booking last month?',
      `SELECT MAX(total_price) FROM booking WHERE booked_on LIKE '2025-05-%'`,
    ],
    [
      'Which room type is booked most often?',
      `SELECT room_type FROM booking JOIN room USING (room_id) GROUP BY room_type ORDER BY COUNT(*) DESC LIMIT 1`,
    ],
  ],
};
