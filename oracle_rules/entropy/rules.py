"""The inventory as a table: which names are entropy, of which kind, and what to put in their stead.

Of the rows that name a thing the first whose condition is
met fires. A row without names is found by `order.py` or by the condition alone. Knows nothing of trees.
"""

from __future__ import annotations

from .hit import Category, Rule

_ARGUMENT = "take the value as an argument"
_NOW = "take the instant as an argument, or `now` from Seams; FakeClock in the property"
_TIMER = "take the timer as an argument, or `now` from Seams; measuring belongs outside of what is scored"
_ID = "take the id as an argument, or `new_id` from Seams"
_RNG = "take a `random.Random(seed)` as an argument"
_FAKE = "take a transport as an argument; FakeTransport with recorded exchanges in the property"
_SORT = "sort before the order can be seen: `sorted(…)`"
_CONFIG = "take the setting as an argument; read it in main, or declare it in the target's profile"
_OUT = "leave it to main; hand in what it would have given"
_PLAIN = "import the module by its name and use it in plain sight"
# Modules whose every use matters, so that handing one around hides what is used.
HOT = ("time", "random", "secrets", "uuid", "socket", "os", "datetime", "numpy.random", "subprocess", "threading",
       "urllib.request", "http.client", "requests", "httpx", "aiohttp", "ctypes", "locale", "platform",
       "tempfile", "multiprocessing")  # fmt: skip
# Classes of such modules that an attribute may be asked of by a computed name.
HOT_CLASSES = ("datetime.datetime", "datetime.date", "random.Random", "pathlib.Path", "builtins")


def _names(module: str, names: str) -> tuple[str, ...]:
    return tuple(f"{module}.{name}" for name in names.split())


def _rule(
    id: str, kind: str, code: str, category: Category, says: str, seam: str, *names: str | tuple[str, ...],
    when: str = "always", but: tuple[str, ...] = (),
) -> Rule:
    flat = tuple(name for each in names for name in ((each,) if isinstance(each, str) else each))
    return Rule(id=id, kind=kind, code=code, category=category, says=says, seam=seam, names=flat, when=when, but=but)


FIXTURE, NEVER = Category.FIXTURE, Category.NEVER
RULES = (
    _rule("sleep", "sleep", "entropy_clock", NEVER, "waits for the machine's clock", "take the wait as an argument; "
          "`FakeClock.advance_ms` in the property",
          "time.sleep", "asyncio.sleep", "trio.sleep", "anyio.sleep", "gevent.sleep", "eventlet.sleep",
          "signal.alarm", "signal.setitimer", "sched.scheduler", "threading.Timer"),
    _rule("clock-read", "clock", "entropy_clock", FIXTURE, "reads the machine's clock", _NOW,
          _names("time", "time time_ns clock_gettime clock_gettime_ns"),
          _names("datetime.datetime", "now utcnow today"), "datetime.date.today",
          _names("datetime.datetime()", "now utcnow today"), _names("datetime.date()", "today"),
          "django.utils.timezone.now", "pendulum.now", "pendulum.today", "arrow.now", "arrow.utcnow",
          "pandas.Timestamp.now", "pandas.Timestamp.today", "pandas.Timestamp.utcnow"),
    _rule("clock-timer", "clock", "entropy_clock", FIXTURE, "reads a timer of the machine", _TIMER,
          _names("time", "monotonic monotonic_ns perf_counter perf_counter_ns process_time process_time_ns thread_time "
                 "thread_time_ns clock"),
          _names("timeit", "timeit repeat default_timer Timer"), "os.times", "resource.getrusage",
          _names("asyncio", "get_running_loop().time get_event_loop().time new_event_loop().time"),
          "asyncio.events.AbstractEventLoop().time", "asyncio.AbstractEventLoop().time"),
    _rule("clock-default", "clock", "entropy_clock", FIXTURE, "reads the clock when no instant is given", _NOW,
          _names("time", "localtime gmtime ctime asctime"), _names("email.utils", "localtime formatdate"),
          _names("wsgiref.handlers", "format_date_time"), when="no-argument"),
    _rule("clock-strftime", "clock", "entropy_clock", FIXTURE, "formats the machine's clock when no instant is given",
          _NOW, "time.strftime", when="no-second-argument"),
    _rule("timezone", "timezone", "entropy_env", FIXTURE, "depends on the time zone of the machine",
          "give the zone: `tz=timezone.utc`", "datetime.datetime.fromtimestamp", when="no-timezone"),
    _rule("timezone-local", "timezone", "entropy_env", FIXTURE, "depends on the time zone of the machine",
          "give the zone as an argument", "datetime.datetime().astimezone", "?.astimezone", when="no-argument"),
    _rule("timezone-name", "timezone", "entropy_env", FIXTURE, "depends on the time zone of the machine",
          "give the zone as an argument", _names("time", "tzname timezone altzone daylight tzset mktime"),
          "datetime.date.fromtimestamp", "dateutil.tz.tzlocal", "tzlocal.get_localzone"),
    _rule("uuid", "uuid", "entropy_uuid", FIXTURE, "makes an id from chance, clock or host", _ID,
          _names("uuid", "uuid1 uuid4 uuid6 uuid7 uuid8 getnode _random_getnode"), "email.utils.make_msgid",
          "shortuuid.uuid", "ulid.new", "nanoid.generate", "cuid.cuid"),
    _rule("secrets", "secrets", "entropy_urandom", FIXTURE, "reads the kernel's random bytes",
          f"{_ARGUMENT}; make it in main", "secrets.*", _names("os", "urandom getrandom"),
          _names("ssl", "RAND_bytes RAND_pseudo_bytes"), "uuid._urandom", "random._urandom",
          but=_names("secrets", "compare_digest")),
    _rule("random-system", "random", "entropy_random", FIXTURE, "draws from the kernel, which no seed pins", _RNG,
          "random.SystemRandom", "secrets.SystemRandom"),
    _rule("random-unseeded", "random", "entropy_random", FIXTURE, "makes a stream without a seed", _RNG,
          "random.Random", "random.Random().seed",
           _names("numpy.random", "default_rng RandomState Generator PCG64 MT19937 SeedSequence"),
          when="unseeded"),
    _rule("random-global", "random", "entropy_random", FIXTURE,
          "uses the one random stream that the whole process shares", _RNG,
          "random.*", "numpy.random.*", _names("torch", "rand randn randint randperm manual_seed"),
          but=(*_names("random", "Random SystemRandom BPF LOG4 NV_MAGICCONST RECIP_BPF SG_MAGICCONST TWOPI "
                       "__all__ __doc__ __file__ __name__ __dict__ _urandom os"),
               *_names("numpy.random", "default_rng RandomState Generator PCG64 MT19937 SeedSequence BitGenerator "
                       "Philox SFC64 PCG64DXSM __dict__ mtrand"))),
    _rule("set-order", "set-order", "entropy_hash", FIXTURE, "lets the order of a set escape", _SORT),
    _rule("set-tie", "set-order", "entropy_hash", FIXTURE,
          "orders a set by a key under which elements tie, and ties keep the set's order",
          "add the element itself to the key"),
    _rule("folder-order", "folder-order", "entropy_order", FIXTURE, "lets the order of a folder's entries escape",
          _SORT),
    _rule("key-order", "key-order", "entropy_order", FIXTURE, "writes keys in the order in which they were put in",
          "write `sort_keys=True`, or use `dumps` of oracle_seams",
          _names("json", "dumps dump JSONEncoder"), _names("simplejson", "dumps dump"),
          _names("ujson", "dumps dump"), _names("rapidjson", "dumps dump"), when="keys-unsorted"),
    _rule("key-order-orjson", "key-order", "entropy_order", FIXTURE,
          "writes keys in the order in which they were put in", "write `option=orjson.OPT_SORT_KEYS`", "orjson.dumps",
          when="orjson-unsorted"),
    _rule("hash", "identity", "entropy_hash", FIXTURE, "depends on the hash seed of the process",
          "use a digest of the value, such as hashlib's", "builtins.hash", "builtins.object.__hash__",
          when="not-in-hash"),
    _rule("id", "identity", "entropy_hash", FIXTURE, "depends on where an object lies in memory",
          "give things a number of their own", "builtins.id", when="identity-seen"),
    _rule("default-repr", "identity", "entropy_hash", FIXTURE, "holds an address in memory",
          "define `__repr__` from the fields", _names("builtins.object", "__repr__ __str__")),
    _rule("environ", "environment", "entropy_env", FIXTURE, "reads the environment", _CONFIG,
          _names("os", "environ environb getenv getenvb putenv unsetenv"),
          _names("os.path", "expanduser expandvars"), "pathlib.Path.home", _names("pathlib.Path()", "home expanduser"),
          _names("site", "getuserbase getusersitepackages getsitepackages"), "decouple.config", "dotenv.load_dotenv"),
    _rule("cwd", "environment", "entropy_env", FIXTURE, "depends on the folder the process was started in",
          "take the folder as an argument", _names("os", "getcwd getcwdb chdir fchdir"),
          _names("pathlib.Path", "cwd"), "pathlib.Path().cwd"),
    _rule("locale", "environment", "entropy_env", FIXTURE, "depends on the locale", "format by hand, or take the "
          "conventions as an argument",
          _names("locale", "setlocale getlocale getdefaultlocale getpreferredencoding getencoding localeconv currency "
                 "str format_string strcoll strxfrm atof atoi delocalize localize nl_langinfo")),
    _rule("interpreter", "environment", "entropy_env", FIXTURE, "depends on how the interpreter was started", _CONFIG,
          _names("sys", "argv orig_argv flags getfilesystemencoding getdefaultencoding executable prefix base_prefix "
                 "stdin")),
    _rule("host", "host", "entropy_host", FIXTURE, "depends on the machine or the process", _ARGUMENT,
          _names("os", "getpid getppid getpgid getpgrp getsid gettid uname cpu_count process_cpu_count getloadavg "
                 "getlogin getuid geteuid getgid getegid getgroups sched_getaffinity ctermid get_terminal_size umask "
                 "getpriority sysconf"),
          _names("platform", "*"), _names("socket", "gethostname getfqdn if_nameindex"), "getpass.getuser",
          _names("multiprocessing", "cpu_count current_process"), "shutil.get_terminal_size", "shutil.disk_usage",
          _names("threading", "get_ident get_native_id"), "_thread.get_ident", "psutil.*",
          _names("gc", "get_objects get_count get_referrers"), _names("sys", "getrefcount _getframe getsizeof"),
          but=_names("platform", "python_version python_version_tuple python_implementation __dict__")),
    _rule("temporary", "host", "entropy_host", FIXTURE, "makes a name by chance on the machine's disk",
          "take the folder as an argument", "tempfile.*",
          but=_names("tempfile", "_TemporaryFileWrapper template __dict__")),
    _rule("resolve", "network", "entropy_network", NEVER, "asks for names on the network", _FAKE,
          _names("socket", "getaddrinfo gethostbyname gethostbyname_ex gethostbyaddr getnameinfo"),
          "dns.resolver.*"),
    _rule("network", "network", "entropy_network", NEVER, "opens the network", _FAKE,
          _names("socket", "socket create_connection create_server socketpair fromfd SocketType"),
          _names("urllib.request", "urlopen urlretrieve build_opener install_opener OpenerDirector URLopener "
                 "FancyURLopener"),
          _names("http.client", "HTTPConnection HTTPSConnection"),
          _names("http.server", "HTTPServer ThreadingHTTPServer"),
          _names("requests", "get post put patch delete head options request Session session"),
          _names("requests.api", "get post put patch delete head options request"), "requests.sessions.Session",
          _names("httpx", "get post put patch delete head options request stream Client AsyncClient"),
          _names("aiohttp", "ClientSession request"), _names("urllib3", "PoolManager HTTPConnectionPool request "
                 "HTTPSConnectionPool ProxyManager connection_from_url"),
          _names("smtplib", "SMTP SMTP_SSL LMTP"), _names("ftplib", "FTP FTP_TLS"),
          _names("imaplib", "IMAP4 IMAP4_SSL"),
          _names("poplib", "POP3 POP3_SSL"), "telnetlib.Telnet", "nntplib.NNTP", "xmlrpc.client.ServerProxy",
          _names("socketserver", "TCPServer UDPServer ThreadingTCPServer"), _names("asyncio", "open_connection "
                 "start_server"), "ssl.get_server_certificate", "boto3.client", "boto3.resource", "paramiko.SSHClient",
          "websockets.connect", "grpc.insecure_channel", "grpc.secure_channel"),
    _rule("thread", "process", "entropy_process", NEVER, "starts threads, whose order nothing pins", _OUT,
          "threading.Thread", "_thread.start_new_thread", "_thread.start_new",
          _names("concurrent.futures", "ThreadPoolExecutor ProcessPoolExecutor as_completed"),
          _names("multiprocessing", "Process Pool Manager Queue Pipe get_context"),
          "multiprocessing.pool.ThreadPool", "multiprocessing.pool.Pool", "asyncio.to_thread", "asyncio.as_completed"),
    _rule("process", "process", "entropy_process", NEVER, "starts a process, or becomes one", _OUT,
          _names("subprocess", "Popen run call check_call check_output getoutput getstatusoutput"),
          _names("os", "system popen fork forkpty posix_spawn posix_spawnp startfile execl execle execlp execlpe execv "
                 "execve execvp execvpe spawnl spawnle spawnlp spawnlpe spawnv spawnve spawnvp spawnvpe"),
          "pty.spawn", "pty.fork", "webbrowser.open", "webbrowser.open_new", "webbrowser.open_new_tab",
          _names("asyncio", "create_subprocess_exec create_subprocess_shell")),
    _rule("native", "native", "entropy_native", NEVER, "reaches native code that nothing can watch",
          "do without it, or declare a locked dependency", "ctypes.*", "ctypes.util.*", "cffi.FFI", "_ctypes.*",
          but=_names("ctypes",
                     "util Structure Union Array c_int c_uint c_char c_long c_ulong c_size_t c_double c_float "
                     "c_uint8 c_uint16 c_uint32 c_uint64 c_int8 c_int16 c_int32 c_int64 c_byte c_ubyte c_bool "
                     "c_short c_ushort c_longlong c_ulonglong c_ssize_t c_char_p c_void_p c_wchar c_wchar_p sizeof "
                     "alignment LittleEndianStructure BigEndianStructure __dict__ ArgumentError _SimpleCData")),
    _rule("evade-import", "evasion", "entropy_evasion", NEVER, "imports a module that no reader can name", _PLAIN,
          "builtins.__import__", "importlib.import_module", "importlib.__import__", "imp.load_module",
          _names("imp", "load_source load_dynamic"),
          _names("importlib.util", "spec_from_file_location module_from_spec "
                 "spec_from_loader"), _names("runpy", "run_path run_module"), "pkgutil.resolve_name",
          "importlib.machinery.SourceFileLoader", when="import-unknown"),
    _rule("evade-modules", "evasion", "entropy_evasion", NEVER, "takes a module from where modules are kept", _PLAIN,
          "sys.modules", when="module-lookup"),
    _rule("evade-globals", "evasion", "entropy_evasion", NEVER, "looks a name up that no reader can know", _PLAIN,
          _names("builtins", "globals locals"), when="name-lookup"),
    _rule("evade-code", "evasion", "entropy_evasion", NEVER, "runs text as a program", "write the program out",
          _names("builtins", "exec eval compile"), _names("code", "InteractiveInterpreter InteractiveConsole interact"),
          _names("types", "CodeType FunctionType")),
    _rule("evade-getattr", "evasion", "entropy_evasion", NEVER,
          "asks a module of entropy for an attribute that no reader can know", _PLAIN,
          "builtins.getattr", "inspect.getattr_static", "builtins.object.__getattribute__", when="attribute-unknown"),
    _rule("evade-dict", "evasion", "entropy_evasion", NEVER, "reaches into the inside of a module of entropy", _PLAIN,
          tuple(f"{module}.__dict__" for module in (*HOT, *HOT_CLASSES)),
          tuple(f"{module}.__getattribute__" for module in HOT)),
    _rule("evade-module", "evasion", "entropy_evasion", NEVER,
          "hands a module of entropy around, so that no reader can follow it", _PLAIN, HOT, when="module-escapes"),
    _rule("evade-star", "evasion", "entropy_evasion", NEVER, "imports every name of a module of entropy",
          "import the names that are used"),
    Rule(id="unreadable", kind="unreadable", code="source_unreadable", category=NEVER,
         says="can't be read, so that nothing is known of it", seam="make it Python that this interpreter parses",
         sentence="{form}: this source {says}"),
)  # fmt: skip
BY_ID = {rule.id: rule for rule in RULES}
