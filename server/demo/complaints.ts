import { people } from './company.ts';
import { townOf } from './customers.ts';
import { createRandom } from './random.ts';
import { type Site, type Step, updateStep } from './site.ts';
import { tableRows } from './table-rows.ts';

/** What was complained about, how it came, from which customer's contact, and how far it is. */
const complaints = tableRows(
  ['day', 'lot', 'error', 'via', 'person', 'progress', 'comments'],
  `
  -214 | bottle#0/FG-4020 | Broken in transit | telephone | Silvia Krane | closed | Two bottles broken in the carton, the rest oily.
  -168 | bottle#1/FG-4110 | Short delivery | e-mail | Stanley Pruett | closed | One carton with eleven bottles.
  -112 | bottle#8/FG-4610 | Cloudy oil | web form | Yvette Orme | investigated | Three bottles cloudy, with a smell of yeast.
  -108 | bottle#5/FG-4010 | Leaking closure | e-mail | Ravi Somerled | closed | Parcels arrive with oil on the label.
  -97 | bottle#6/FG-4310 | Dropper defect | telephone | Rowan Achterberg | investigated | Dropper gives a stream, not drops.
  -66 | bottle#7/FG-4210 | Wrong label | e-mail | Gerrit Maasland | closed | Rapeseed label on two bottles of sunflower oil.
  -39 | bottle#12/FG-4410 | Off taste or odour | visit | Hugo Brannagh | investigated | Tastes of hay; the chef kept the bottle.
  -26 | bottle#15/FG-4020 | Leaking closure | e-mail | Katya Orlan | investigated | Six bottles with oil under the closure.
  -12 | bottle#14/FG-4710 | Best-before date unreadable | web form | Paloma Reyes-Hart | new | The date rubs off with a thumb.
  -5 | bottle#15/FG-4010 | Off taste or odour | telephone | Clara Enderwick | new | Bitter, from the first day.
`,
);

export function complaintSteps(): Step[] {
  return complaints.flatMap((complaint, index) => {
    const day = Number(complaint.day);
    const number = index + 1;
    const mark = (after: number, body: Record<string, unknown>) =>
      updateStep(Math.min(day + after, -1), `Complaint ${number} goes on`, 'complaint', keyOf(number), body);
    const opening = { day, title: `Complaint ${number}`, run: (site: Site) => take(site, complaint, number) };
    const investigated = mark(4, { is_investigated: true });
    if (complaint.progress === 'new') return [opening];
    if (complaint.progress === 'investigated') return [opening, investigated];
    return [
      opening,
      investigated,
      mark(11, { is_closed: true, reason: 'Replaced, and the customer agrees.' }),
    ];
  });
}

async function take(site: Site, complaint: (typeof complaints)[number], number: number): Promise<void> {
  const { person } = complaint;
  const town = townOf(person);
  const lot = site.lot(complaint.lot);
  const body = {
    complaint_number: `${site.series}C-${number}`,
    complaint_date: site.calendar.workday(Number(complaint.day)),
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
  await site.create('complaint', body, keyOf(number));
}

function keyOf(number: number): string {
  return `complaint:${number}`;
}
