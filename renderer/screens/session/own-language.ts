import { useWrite } from '../../api/calls.ts';
import { useSession } from '../../api/session.ts';
import { changeLanguage, type Language } from '../../i18n/i18n.ts';

/** The language of the signed-in user's screens: at once on this one, and from the next sign-in on wherever that is. */
export function useOwnLanguage() {
  const { session } = useSession();
  const { mutate, error } = useWrite('x.users.language');
  const id = session?.user?.id;
  const change = (language: Language) => {
    changeLanguage(language);
    // While the server is away, this browser keeps it.
    if (id !== undefined) mutate({ params: { id }, body: { language } });
  };
  return { change, error };
}
