import { type Business, day, oneOf, person, TODAY, times, whole } from '../business.ts';
import { each, later, monthOfYear, year } from '../variants.ts';

const VENUES = [
  ['Grand Hall', 'Vienna', 1800],
  ['Riverside Arena', 'Linz', 4200],
  ['Club Nova', 'Vienna', 350],
  ['Old Theatre', 'Graz', 620],
  ['Open Air Park', 'Salzburg', 9000],
  ['Cellar Stage', 'Graz', 120],
] as const;
const ACTS = [
  'Paper Lions',
  'City Philharmonic',
  'Mira Sol',
  'The Night Trams',
  'Otto Berg',
  'Northern Ballet',
  'Jazz Union',
];
const KINDS: Readonly<Record<string, string>> = {
  'Paper Lions': 'Rock',
  'City Philharmonic': 'Classical',
  'Mira Sol': 'Pop',
  'The Night Trams': 'Rock',
  'Otto Berg': 'Comedy',
  'Northern Ballet': 'Dance',
  'Jazz Union': 'Jazz',
};

/** A seller of tickets for concerts and shows. */
export const ticketing: Business = {
  name: 'ticketing',
  ddl: `
CREATE TABLE venue (venue_id INTEGER PRIMARY KEY, venue_name TEXT NOT NULL, city TEXT NOT NULL, capacity INTEGER NOT NULL);
CREATE TABLE event (event_id INTEGER PRIMARY KEY, artist TEXT NOT NULL, category TEXT NOT NULL,
  venue_id INTEGER NOT NULL REFERENCES venue(venue_id), event_date DATE NOT NULL, ticket_price REAL NOT NULL,
  sold_out TEXT NOT NULL, status TEXT NOT NULL);
CREATE TABLE buyer (buyer_id INTEGER PRIMARY KEY, buyer_name TEXT NOT NULL, email TEXT NOT NULL, country TEXT,
  newsletter TEXT NOT NULL);
CREATE TABLE ticket_order (order_id INTEGER PRIMARY KEY, event_id INTEGER NOT NULL REFERENCES event(event_id),
  buyer_id INTEGER NOT NULL REFERENCES buyer(buyer_id), order_date DATE NOT NULL, tickets INTEGER NOT NULL,
  amount REAL NOT NULL, sales_channel TEXT NOT NULL, payment_status TEXT NOT NULL, promo_code TEXT);`,
  rows: (random) => {
    const events = times(110, (id) => {
      const artist = oneOf(random, ACTS);
      return [
        id,
        artist,
        KINDS[artist] as string,
        whole(random, 1, 6),
        day(random, '2022-06-01', '2025-12-20'),
        oneOf(random, [18, 24.5, 32, 39, 45, 59.9, 75, 89]),
        random() < 0.25 ? 'Y' : 'N',
        random() < 0.06 ? 'cancelled' : random() < 0.06 ? 'postponed' : 'confirmed',
      ] as const;
    });
    return {
      venue: VENUES.map((venue, at) => [at + 1, ...venue]),
      event: events,
      buyer: times(140, (id) => [
        id,
        person(id),
        `${person(id).toLowerCase().replace(' ', '_')}@post.example`,
        random() < 0.06 ? null : oneOf(random, ['Austria', 'Austria', 'Germany', 'Italy', 'Switzerland']),
        oneOf(random, ['Y', 'N']),
      ]),
      ticket_order: times(1600, (id) => {
        const event = events[whole(random, 0, 103)] as (typeof events)[number];
        const early = later(event[4], -whole(random, 1, 120));
        const ordered = early > TODAY ? day(random, '2025-04-01') : early;
        const tickets = oneOf(random, [1, 2, 2, 2, 3, 4, 4, 6]);
        return [
          30000 + id,
          event[0],
          whole(random, 1, 133),
          ordered,
          tickets,
          tickets * event[5],
          oneOf(random, ['Website', 'Website', 'App', 'Box office', 'Partner']),
          random() < 0.9 ? 'paid' : oneOf(random, ['refunded', 'pending']),
          random() < 0.8 ? null : oneOf(random, ['SPRING10', 'STUDENT', 'VIP']),
        ];
      }),
    };
  },
  questions: [
    ['How many events are sold out?', `SELECT COUNT(*) FROM event WHERE sold_out = 'Y'`],
    [
      'Which venues hold more than 1000 people?',
      ...each('SELECT {} FROM venue WHERE capacity > 1000', 'venue_name', 'venue_id'),
    ],
    ['show all cancelled events', ...each(`SELECT {} FROM event WHERE status = 'cancelled'`, 'event_id', 'artist')],
    ['How many buyers come from Germany', `SELECT COUNT(*) FROM buyer WHERE country = 'Germany'`],
    ['How many orders used the promo code STUDENT?', `SELECT COUNT(*) FROM ticket_order WHERE promo_code = 'STUDENT'`],
    ['How many events are there in each category?', 'SELECT category, COUNT(*) FROM event GROUP BY category'],
    [
      'Order amount and number of tickets by sales channel',
      'SELECT sales_channel, SUM(amount), SUM(tickets) FROM ticket_order GROUP BY 1',
    ],
    [
      'How many tickets has every artist sold?',
      'SELECT e.artist, SUM(o.tickets) FROM ticket_order o JOIN event e ON e.event_id = o.event_id GROUP BY 1',
      `SELECT e.artist, SUM(o.tickets) FROM ticket_order o JOIN event e ON e.event_id = o.event_id
       WHERE o.payment_status = 'paid' GROUP BY 1`,
      `SELECT e.artist, SUM(o.tickets) FROM ticket_order o JOIN event e ON e.event_id = o.event_id
       WHERE o.payment_status <> 'refunded' GROUP BY 1`,
    ],
    ['What is the average ticket price per category?', 'SELECT category, AVG(ticket_price) FROM event GROUP BY 1'],
    [
      'Total paid amount by year',
      ...each(
        `SELECT {}, SUM(amount) FROM ticket_order WHERE payment_status = 'paid' GROUP BY 1`,
        ...year('order_date'),
      ),
    ],
    [
      'Top 5 buyers by amount spent',
      ...each(
        'SELECT {} FROM ticket_order o JOIN buyer b ON b.buyer_id = o.buyer_id GROUP BY b.buyer_id ORDER BY SUM(o.amount) DESC LIMIT 5',
        'b.buyer_name',
        'b.buyer_id',
      ),
      ...each(
        `SELECT {} FROM ticket_order o JOIN buyer b ON b.buyer_id = o.buyer_id WHERE o.payment_status = 'paid'
         GROUP BY b.buyer_id ORDER BY SUM(o.amount) DESC LIMIT 5`,
        'b.buyer_name',
        'b.buyer_id',
      ),
      ...each(
        `SELECT {} FROM ticket_order o JOIN buyer b ON b.buyer_id = o.buyer_id WHERE o.payment_status <> 'refunded'
         GROUP BY b.buyer_id ORDER BY SUM(o.amount) DESC LIMIT 5`,
        'b.buyer_name',
        'b.buyer_id',
      ),
    ],
    [
      'Which upcoming events take place in Graz?',
      ...each(
        `SELECT {} FROM event e JOIN venue v ON v.venue_id = e.venue_id WHERE v.city = 'Graz' AND e.event_date >= '${TODAY}'`,
        'e.event_id',
        'e.artist',
      ),
      ...each(
        `SELECT {} FROM event e JOIN venue v ON v.venue_id = e.venue_id
         WHERE v.city = 'Graz' AND e.event_date > '${TODAY}' AND e.status = 'confirmed'`,
        'e.event_id',
        'e.artist',
      ),
    ],
    [
      'How many tickets were sold through the app in 2024?',
      `SELECT SUM(tickets) FROM ticket_order WHERE sales_channel = 'App' AND order_date LIKE '2024-%'`,
      `SELECT SUM(tickets) FROM ticket_order WHERE sales_channel = 'App' AND order_date LIKE '2024-%' AND payment_status = 'paid'`,
    ],
    [
      'What revenue did we get from concerts of Mira Sol in Vienna?',
      `SELECT SUM(o.amount) FROM ticket_order o JOIN event e ON e.event_id = o.event_id JOIN venue v ON v.venue_id = e.venue_id
       WHERE e.artist = 'Mira Sol' AND v.city = 'Vienna'`,
      `SELECT SUM(o.amount) FROM ticket_order o JOIN event e ON e.event_id = o.event_id JOIN venue v ON v.venue_id = e.venue_id
       WHERE e.artist = 'Mira Sol' AND v.city = 'Vienna' AND o.payment_status = 'paid'`,
    ],
    [
      'When is the next Northern Ballet show?',
      `SELECT MIN(event_date) FROM event WHERE artist = 'Northern Ballet' AND event_date >= '${TODAY}'`,
      `SELECT MIN(event_date) FROM event WHERE artist = 'Northern Ballet' AND event_date >= '${TODAY}' AND status = 'confirmed'`,
    ],
    [
      'List all buyers from outside Austria who get the newsletter',
      ...each(`SELECT {} FROM buyer WHERE country <> 'Austria' AND newsletter = 'Y'`, 'buyer_name', 'buyer_id'),
      ...each(
        `SELECT {} FROM buyer WHERE (country <> 'Austria' OR country IS NULL) AND newsletter = 'Y'`,
        'buyer_name',
        'buyer_id',
      ),
    ],
    [
      'For each sales channel, what percentage of the orders was refunded?',
      `SELECT sales_channel, 100.0 * SUM(payment_status = 'refunded') / COUNT(*) FROM ticket_order GROUP BY 1`,
    ],
    [
      'Number of orders per month in 2024, without the refunded ones',
      ...each(
        `SELECT {}, COUNT(*) FROM ticket_order WHERE order_date LIKE '2024-%' AND payment_status <> 'refunded' GROUP BY 1`,
        ...monthOfYear('order_date'),
      ),
    ],
    [
      'Which events cost more than the average ticket price?',
      ...each('SELECT {} FROM event WHERE ticket_price > (SELECT AVG(ticket_price) FROM event)', 'event_id', 'artist'),
    ],
    [
      'Which venues have hosted more than 18 events?',
      ...each(
        'SELECT {} FROM event e JOIN venue v ON v.venue_id = e.venue_id GROUP BY v.venue_id HAVING COUNT(*) > 18',
        'v.venue_name',
        'v.venue_id',
      ),
      ...each(
        `SELECT {} FROM event e JOIN venue v ON v.venue_id = e.venue_id WHERE e.event_date <= '${TODAY}'
         GROUP BY v.venue_id HAVING COUNT(*) > 18`,
        'v.venue_name',
        'v.venue_id',
      ),
    ],
  ],
};
