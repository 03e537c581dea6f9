import { type Business, day, oneOf, person, times, whole } from '../business.ts';

const CITIES = ['Lyon', 'Porto', 'Graz', 'Ghent', 'Turin'];

export const clinic: Business = {
  name: 'clinic',
  ddl: `
CREATE TABLE doctors (doctor_id INTEGER PRIMARY KEY, full_name TEXT NOT NULL, specialty TEXT NOT NULL,
  hired_on DATE NOT NULL, hourly_rate REAL NOT NULL);
CREATE TABLE patients (patient_id INTEGER PRIMARY KEY, full_name TEXT NOT NULL, gender TEXT NOT NULL,
  birth_date DATE NOT NULL, city TEXT NOT NULL, insurance TEXT, registered_on DATE NOT NULL);
CREATE TABLE appointments (appointment_id INTEGER PRIMARY KEY,
  patient_id INTEGER NOT NULL REFERENCES patients (patient_id),
  doctor_id INTEGER NOT NULL REFERENCES doctors (doctor_id), appointment_date DATE NOT NULL,
  status TEXT NOT NULL, duration_minutes INTEGER NOT NULL, fee REAL);
CREATE TABLE prescriptions (prescription_id INTEGER PRIMARY KEY,
  appointment_id INTEGER NOT NULL REFERENCES appointments (appointment_id), drug TEXT NOT NULL,
  daily_dose_mg INTEGER NOT NULL, days INTEGER NOT NULL);`,
  rows: (random) => ({
    doctors: times(9, (id) => [
      id,
      `Dr. ${person(id + 40)}`,
      ['Cardiology', 'Dermatology', 'Pediatrics', 'Neurology'][id % 4] ?? '',
      day(random, '2012-01-01', '2024-12-31'),
      60 + 5 * id,
    ]),
    patients: times(120, (id) => [
      id,
      person(id),
      oneOf(random, ['female', 'male']),
      day(random, '1940-01-01', '2020-12-31'),
      oneOf(random, CITIES),
      random() < 0.15 ? null : oneOf(random, ['Allcare', 'Medisure', 'Public']),
      day(random, '2020-01-01'),
    ]),
    appointments: times(700, (id) => {
      const status = oneOf(random, ['completed', 'completed', 'completed', 'cancelled', 'no-show']);
      const fee = status === 'completed' ? 40 + whole(random, 0, 160) : null;
      const doctor = whole(random, 1, 8);
      return [id, whole(random, 1, 110), doctor, day(random), status, 15 * whole(random, 1, 4), fee];
    }),
    prescriptions: times(260, (id) => [
      id,
      whole(random, 1, 700),
      oneOf(random, ['Amoxicillin', 'Ibuprofen', 'Metformin', 'Lisinopril', 'Cetirizine']),
      oneOf(random, [10, 50, 200, 400, 500]),
      whole(random, 3, 30),
    ]),
  }),
  questions: [
    ['How many patients do we have in Lyon?', `SELECT COUNT(*) FROM patients WHERE city = 'Lyon'`],
    [
      'Which doctors had more than 80 appointments?',
      `SELECT full_name FROM doctors JOIN appointments USING (doctor_id) GROUP BY doctor_id HAVING COUNT(*) > 80`,
    ],
    [
      'What percentage of appointments are no-shows?',
      `SELECT 100.0 * SUM(status = 'no-show') / COUNT(*) FROM appointments`,
    ],
    [
      'Average appointment fee by specialty',
      `SELECT specialty, AVG(fee) FROM doctors JOIN appointments USING (doctor_id) GROUP BY specialty`,
    ],
    [
      'How many appointments were cancelled in March 2024?',
      `SELECT COUNT(*) FROM appointments WHERE status = 'cancelled' AND appointment_date LIKE '2024-03-%'`,
    ],
    [
      'Show the number of completed appointments per month in 2024',
      `SELECT strftime('%Y-%m', appointment_date), COUNT(*) FROM appointments WHERE status = 'completed'
       AND appointment_date LIKE '2024-%' GROUP BY 1`,
      `SELECT CAST(strftime('%m', appointment_date) AS INTEGER), COUNT(*) FROM appointments WHERE status = 'completed'
       AND appointment_date LIKE '2024-%' GROUP BY 1`,
      `SELECT strftime('%m', appointment_date), COUNT(*) FROM appointments WHERE status = 'completed'
       AND appointment_date LIKE '2024-%' GROUP BY 1`,
    ],
    [
      'Which patients have never had an appointment?',
      `SELECT full_name FROM patients WHERE patient_id NOT IN (SELECT patient_id FROM appointments)`,
    ],
    [
      'What are the five most prescribed drugs?',
      `SELECT drug FROM prescriptions GROUP BY drug ORDER BY COUNT(*) DESC LIMIT 5`,
    ],
    ['List all pediatricians', `SELECT full_name FROM doctors WHERE specialty = 'Pediatrics'`],
    ['How many patients have no insurance?', 'SELECT COUNT(*) FROM patients WHERE insurance IS NULL'],
    ['What did we earn from fees last year?', `SELECT SUM(fee) FROM appointments WHERE appointment_date LIKE '2024-%'`],
    [
      'Which doctor has the highest hourly rate?',
      'SELECT full_name FROM doctors WHERE hourly_rate = (SELECT MAX(hourly_rate) FROM doctors)',
    ],
    [
      'How many female patients were born before 1960?',
      `SELECT COUNT(*) FROM patients WHERE gender = 'female' AND birth_date < '1960-01-01'`,
    ],
    ['Number of patients per city, largest first', 'SELECT city, COUNT(*) FROM patients GROUP BY city ORDER BY 2 DESC'],
    [
      'What is the average duration of neurology appointments?',
      `SELECT AVG(duration_minutes) FROM appointments JOIN doctors USING (doctor_id) WHERE specialty = 'Neurology'`,
    ],
    [
      'Which patients were prescribed Metformin?',
      `SELECT DISTINCT full_name FROM patients JOIN appointments USING (patient_id)
       JOIN prescriptions USING (appointment_id) WHERE drug = 'Metformin'`,
    ],
    [
      'How many new patients registered in the last 90 days?',
      `SELECT COUNT(*) FROM patients WHERE registered_on >= '2025-03-20' AND registered_on <= '2025-06-18'`,
    ],
    ['Which cities have at least 25 patients?', 'SELECT city FROM patients GROUP BY city HAVING COUNT(*) >= 25'],
    [
      'Total fees by doctor in 2023',
      `SELECT full_name, SUM(fee) FROM doctors JOIN appointments USING (doctor_id)
       WHERE appointment_date LIKE '2023-%' GROUP BY doctor_id`,
    ],
    ['How many different drugs did we prescribe?', 'SELECT COUNT(DISTINCT drug) FROM prescriptions'],
  ],
};
