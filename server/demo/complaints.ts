import { people } from './company.ts';
import { createRandom } from './random.ts';
import type { Site, Step } from './site.ts';

/** Day, lot, error, how it came, from whom and where, what was said, and how far it is. */
const complaints: readonly (readonly [
  day: number,
  lot: string,
  error: string,
  via: 'e-mail' | 'telephone' | 'visit' | 'web form',
  person: string,
  town: string,
  comments: string,
  progress: 'new' | 'investigated' | 'closed',
])[] = [
  [
    -214,
    'bottle#0/FG-4020',
    'Broken in transit',
    'telephone',
    'Silvia Krane',
    'Ashby Tarn',
    'Two bottles broken in the carton, the rest oily.',
    'closed',
  ],
  [
    -168,
    'bottle#1/FG-4110',
    'Short delivery',
    'e-mail',
    'Stanley Pruett',
    'Marrowby',
    'One carton with eleven bottles.',
    'closed',
  ],
  [
    -112,
    'bottle#8/FG-4610',
    'Cloudy oil',
    'web form',
    'Yvette Orme',
    'Nettlecombe',
    'Three bottles cloudy, with a smell of yeast.',
    'investigated',
  ],
  [
    -108,
    'bottle#5/FG-4010',
    'Leaking closure',
    'e-mail',
    'Ravi Somerled',
    'Port Linnet',
    'Parcels arrive with oil on the label.',
    'closed',
  ],
  [
    -97,
    'bottle#6/FG-4310',
    'Dropper defect',
    'telephone',
    'Rowan Achterberg',
    'Dunmere',
    'Dropper gives a stream, not drops.',
    'investigated',
  ],
  [
    -66,
    'bottle#7/FG-4210',
    'Wrong label',
    'e-mail',
    'Gerrit Maasland',
    'Thornwick',
    'Rapeseed label on two bottles of sunflower oil.',
    'closed',
  ],
  [
    -39,
    'bottle#12/FG-4410',
    'Off taste or odour',
    'visit',
    'Hugo Brannagh',
    'Ternbrook',
    'Tastes of hay; the chef kept the bottle.',
    'investigated',
  ],
  [
    -26,
    'bottle#15/FG-4020',
    'Leaking closure',
    'e-mail',
    'Katya Orlan',
    'Port Linnet',
    'Six bottles with oil under the closure.',
    'investigated',
  ],
  [
    -12,
    'bottle#14/FG-4710',
    'Best-before date unreadable',
    'web form',
    'Paloma Reyes-Hart',
    'Dunmere',
    'The date rubs off with a thumb.',
    'new',
  ],
  [
    -5,
    'bottle#15/FG-4010',
    'Off taste or odour',
    'telephone',
    'Clara Enderwick',
    'Ternbrook',
    'Bitter, from the first day.',
    'new',
  ],
];

export function complaintSteps(): Step[] {
  return complaints.flatMap(([day, lot, error, via, person, town, comments, progress], index) => {
    const number = index + 1;
    const key = `complaint:${number}`;
    const mark = (after: number, body: Record<string, unknown>): Step => ({
      day: Math.min(day + after, -1),
      title: `Complaint ${number} goes on`,
      run: async site => {
        await site.client.update('complaint', site.idOf(key), body);
      },
    });
    const opening: Step = {
      day,
      title: `Complaint ${number}`,
      run: site => take(site, { key, number, day, lot, error, via, person, town, comments }),
    };
    const investigated = mark(4, { is_investigated: true });
    if (progress === 'new') return [opening];
    if (progress === 'investigated') return [opening, investigated];
    return [
      opening,
      investigated,
      mark(11, { is_closed: true, reason: 'Replaced, and the customer agrees.' }),
    ];
  });
}

interface Taking {
  key: string;
  number: number;
  day: number;
  lot: string;
  error: string;
  via: string;
  person: string;
  town: string;
  comments: string;
}

async function take(site: Site, complaint: Taking): Promise<void> {
  const { number, person, town } = complaint;
  const lot = site.lot(complaint.lot);
  const body = {
    complaint_number: `${site.series}C-${number}`,
    complaint_date: site.calendar.workday(complaint.day),
    part_id: site.idOf(`part:${lot.part}`),
    error_code_id: site.idOf(`error-code:${complaint.error}`),
    received_by: createRandom(`complaint ${number}`).pick(people.service),
    received_via: complaint.via,
    batch_number: lot.number,
    store_info: `Shop in ${town}`,
    comments: complaint.comments,
    complainant_full_name: person,
    complainant_address: town,
    complainant_phone: `555-02${String(number).padStart(2, '0')}`,
    complainant_email: `${person.toLowerCase().replaceAll(' ', '.')}@example.com`,
  };
  await site.create('complaint', body, complaint.key);
}
