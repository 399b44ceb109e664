import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Candidate,
  candidates,
  expand,
  find,
  installFailure,
  interpreterIn,
  missingPython,
  notFoundMessage,
  onPath,
  serveArguments,
  withoutWheel,
} from '../src/finding';
import type { Ran } from '../src/running';
import { english } from '../src/texts';

const ALL = {
  command: ['uvx', 'msgls'],
  interpreter: '/p/python',
  'python-extension': '/e/python',
  path: '/b/msgls',
  private: '/own/python',
};

const SAYS_VERSION: Ran = { code: 0, stdout: 'msgls 1.2.3\n', stderr: '' };
const HAS_NONE: Ran = { code: 1, stdout: '', stderr: '/e/python: No module named msgls\n' };
const IS_MISSING: Ran = { code: null, stdout: '', stderr: '', failure: 'ENOENT' };

/** A machine with some programs, and what they say. */
function machine(programs: Record<string, Ran>) {
  const asked: string[] = [];
  const run = async (command: string, args: readonly string[]) => {
    asked.push([command, ...args].join(' '));
    return programs[command] ?? IS_MISSING;
  };
  return { asked, run };
}

describe('the order', () => {
  it('is settings, the Python extension, the PATH, our own', () => {
    assert.deepEqual(
      candidates(ALL).map(({ origin, command, args }) => [origin, command, ...args]),
      [
        ['command', 'uvx', 'msgls'],
        ['interpreter', '/p/python', '-m', 'msgls'],
        ['python-extension', '/e/python', '-m', 'msgls'],
        ['path', '/b/msgls'],
        ['private', '/own/python', '-m', 'msgls'],
      ],
    );
  });

  it('takes the program that comes with the extension for an environment of our own', () => {
    const { private: _, ...others } = ALL;
    const places = { ...others, bundled: '/x/msgls' };
    const own = candidates(places).at(-1);
    assert.deepEqual(own, { origin: 'bundled', command: '/x/msgls', args: [] });
    assert.deepEqual(candidates(places, true), [own]);
  });

  it('leaves out what is not there', () => {
    assert.deepEqual(candidates({ command: [], interpreter: ' ' }), []);
    assert.deepEqual(candidates({ command: '/a b/msgls' }), [
      { origin: 'command', command: '/a b/msgls', args: [] },
    ]);
  });

  it('is our own alone where somebody chose it instead of a setting', () => {
    const origins = candidates(ALL, true).map(({ origin }) => origin);
    assert.deepEqual(origins, ['private']);
    const { private: _, ...others } = ALL;
    assert.equal(candidates(others, true)[0]?.origin, 'command');
  });
});

describe('finding', () => {
  const { command: _command, interpreter: _interpreter, ...unset } = ALL;

  it('takes the first one that answers', async () => {
    const { asked, run } = machine({ '/e/python': HAS_NONE, '/b/msgls': SAYS_VERSION });
    const { found, tried } = await find(candidates(unset), run);
    assert.equal(found?.origin, 'path');
    assert.equal(found?.version, '1.2.3');
    assert.deepEqual(asked, ['/e/python -m msgls version', '/b/msgls version']);
    assert.deepEqual(
      tried.map(({ reason }) => english(reason)),
      ['`/e/python` has no msgls'],
    );
  });

  it('puts nothing in the place of what a setting names', async () => {
    const { asked, run } = machine({ '/b/msgls': SAYS_VERSION });
    const { found, tried } = await find(candidates({ ...unset, interpreter: '/p/python' }), run);
    assert.equal(found, undefined);
    assert.equal(asked.length, 1);
    const message = english(notFoundMessage(tried, '9.9.9'));
    assert.match(message, /there is no `\/p\/python`, and msgls\.interpreter names it/);
  });

  it('tells what can be installed where nothing is configured', async () => {
    const { tried } = await find(candidates(unset), machine({}).run);
    assert.equal(tried.length, 3);
    const offered = english(notFoundMessage(tried, '9.9.9'));
    assert.match(offered, /Version 9\.9\.9 comes with.*package index/);
    assert.doesNotMatch(english(notFoundMessage([], undefined)), /comes with/);
  });

  const REASONS: [Ran, RegExp][] = [
    [{ ...HAS_NONE, code: null, failure: 'EACCES' }, /cannot be executed/],
    [{ ...SAYS_VERSION, code: null, failure: 'timeout' }, /does not answer/],
    [{ code: 1, stdout: '', stderr: 'a\nSyntaxError: b\n' }, /does not work: SyntaxError: b/],
    [{ code: 0, stdout: 'Python 3.12\n', stderr: '' }, /is not msgls.*Python 3\.12/],
    [{ code: 2, stdout: '', stderr: '' }, /it says nothing/],
  ];
  for (const [ran, reason] of REASONS) {
    it(`says why: ${reason.source}`, async () => {
      const { tried } = await find(candidates({ path: 'x' }), machine({ x: ran }).run);
      assert.match(english(tried[0]?.reason ?? ''), reason);
    });
  }

  it('does not ask a command line that says all by itself', async () => {
    const { asked, run } = machine({});
    const places = { command: ['ssh', 'host', 'msgls', 'serve'] };
    const { found } = await find(candidates(places), run);
    assert.deepEqual(asked, []);
    assert.equal(found?.version, undefined);
    assert.deepEqual(found && serveArguments(found, 'debug'), ['host', 'msgls', 'serve']);
  });
});

it('serves over stdio, with the log level', () => {
  const candidate: Candidate = { origin: 'interpreter', command: 'p', args: ['-m', 'msgls'] };
  const args = serveArguments(candidate, 'info').join(' ');
  assert.equal(args, '-m msgls serve --stdio --log-level info');
});

describe('the PATH', () => {
  const files = ['/a/msgls', '/b/msgls', './msgls', 'C:\\b\\msgls.exe', 'C:\\a\\msgls.cmd'];
  const isFile = (file: string) => files.includes(file);

  it('is looked through in order', () => {
    assert.equal(onPath('msgls', { PATH: '/x:/b:/a' }, 'linux', isFile), '/b/msgls');
    assert.equal(onPath('msgls', { PATH: '/x' }, 'linux', isFile), undefined);
    assert.equal(onPath('msgls', {}, 'linux', isFile), undefined);
  });

  it('never means the folder that is open', () => {
    assert.equal(onPath('msgls', { PATH: '.:' }, 'linux', isFile), undefined);
  });

  it('is spelt otherwise on Windows, where scripts of the shell are left out', () => {
    const env = { Path: 'C:\\a;C:\\b' };
    assert.equal(onPath('msgls', env, 'win32', isFile), 'C:\\b\\msgls.exe');
  });
});

it('knows where the interpreter of an environment is', () => {
  assert.equal(interpreterIn('/e', 'linux'), '/e/bin/python');
  assert.equal(interpreterIn('C:\\e', 'win32'), 'C:\\e\\Scripts\\python.exe');
});

describe('variables', () => {
  const folders = new Map([
    ['one', '/w/one'],
    ['two', '/w/two'],
  ]);
  const places = { home: '/h', folders, env: { V: '/v' } };
  const expanded: [string, string][] = [
    ['~/p', '/h/p'],
    ['a~/p', 'a~/p'],
    ['${userHome}/p', '/h/p'],
    ['${workspaceFolder}/p', '/w/one/p'],
    ['${workspaceFolder:two}/p', '/w/two/p'],
    ['${workspaceFolder:no}/p', '${workspaceFolder:no}/p'],
    ['${env:V}/p', '/v/p'],
    ['${env:NO}/p', '/p'],
    ['${other}', '${other}'],
  ];
  for (const [text, expected] of expanded) {
    it(text, () => assert.equal(expand(text, places), expected));
  }
  it('are kept where there is no folder', () => {
    assert.equal(
      expand('${workspaceFolder}', { ...places, folders: new Map() }),
      '${workspaceFolder}',
    );
  });
});

describe('an installation that cannot work', () => {
  for (const [platform, words] of [
    ['win32', /winget install/],
    ['darwin', /brew install/],
    ['linux', /apt install python3 python3-venv/],
  ] as const) {
    it(`says before the click how to get Python on ${platform}`, () => {
      const missing = missingPython(false, platform);
      const message = english(notFoundMessage([], '1.2.3', missing));
      assert.match(message, words);
      assert.match(message, /no Python 3\.11 or newer/);
    });
  }
  it('says what Debian leaves out', () => {
    const message = notFoundMessage([], '1.2.3', missingPython(true, 'linux'));
    assert.match(english(message), /apt install python3-venv/);
  });
});

describe('an installation that fails', () => {
  const failures: [string, RegExp][] = [
    [
      'Retrying … NewConnectionError …\nERROR: No matching distribution found for pygls==2.1.1',
      /package index cannot be reached/,
    ],
    [
      'ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE. …\n    rich==15.0.0 from …:\n',
      /another `rich` than the one/,
    ],
    ['…Temporary failure in name resolution', /when you are online/],
    ['The virtual environment … ensurepip is not available', /python3-venv/],
    ["ERROR: Package 'msgls' requires a different Python: 3.9.1", /3\.11 or newer/],
    ['a\nERROR: the disk is full\nb', /^ERROR: the disk is full$/],
    ['', /no reason/],
  ];
  for (const [output, words] of failures) {
    it(words.source, () => assert.match(english(installFailure(output)), words));
  }
  // What pip 23 and 26 say on a machine that no wheel fits.
  const NONE = `ERROR: Could not find a version that satisfies the requirement pyjson5==2.0.1 (from versions: none)
ERROR: No matching distribution found for pyjson5==2.0.1`;
  it('says which library is not ready-made for this machine', () => {
    assert.equal(withoutWheel(NONE), 'pyjson5');
    // Rust, which one library fetches when it is built, may be out of reach: not the index.
    const failure = installFailure('Name or service not known', withoutWheel(NONE));
    assert.match(english(failure), /no ready-made `pyjson5`.*3\.11 to 3\.14.*C compiler and Rust/);
  });
  it('builds nothing because the network is away', () => {
    assert.equal(withoutWheel(`… getaddrinfo failed …\n${NONE}`), undefined);
  });
});
