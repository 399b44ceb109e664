;;; emacs.el --- Plays a story in Emacs with eglot  -*- lexical-binding: t -*-

;;; Commentary:

;; Plays the story of tests/editors/story.py in Emacs (28 and newer) with editors/emacs and
;; eglot (1.9 and newer), through the commands that people call.  Reports what can be seen
;; after each step, and judges nothing.

;;; Code:

(require 'package)
(package-initialize)
(require 'cl-lib)
(require 'eglot nil t)
(require 'flymake)
(require 'json)

;; Of newer versions.
(defvar eglot-confirm-server-edits)

(defvar story-play
  (let ((coding-system-for-read 'utf-8-unix))
    (with-temp-buffer
      (insert-file-contents (getenv "MSGLS_STORY"))
      (json-parse-buffer :object-type 'alist :array-type 'list)))
  "What is to be done.")

(defvar story-report nil "What was seen, by step.")

(defvar story-deadline
  (time-add nil (alist-get 'patience_seconds story-play))
  "When to give up.")

(declare-function msgls-run "msgls")
(declare-function msgls-view "msgls")
(declare-function msgls--refresh-view "msgls")
(defvar msgls-command)

(defun story-tell (step value)
  "Write into the report that VALUE was seen at STEP."
  (setq story-report (append story-report (list (cons step value))))
  (let ((coding-system-for-write 'utf-8-unix)
        (create-lockfiles nil))
    (with-temp-buffer
      (insert (json-serialize story-report))
      (write-region nil nil (alist-get 'report story-play) nil 'silent))))

(defun story-wait (what check)
  "Let the server work until CHECK gives something, which is WHAT is waited for."
  (let (value)
    (while (not (setq value (funcall check)))
      (when (time-less-p story-deadline nil)
        (error "No sign of %s" what))
      (unless (or (null (eglot-current-server))
                  (jsonrpc-running-p (eglot-current-server)))
        (error "The server left before %s" what))
      (accept-process-output nil 0.02))
    value))

(defun story-text ()
  "The text of the buffer."
  (buffer-substring-no-properties (point-min) (point-max)))

(defun story-shown ()
  "The diagnostics as they are shown, with the text that is underlined."
  (vconcat
   (mapcar
    (lambda (it)
      (let ((beg (flymake-diagnostic-beg it))
            (end (flymake-diagnostic-end it)))
        `((message . ,(flymake-diagnostic-text it))
          (severity . ,(symbol-name (flymake-diagnostic-type it)))
          (line . ,(line-number-at-pos beg t))
          (text . ,(buffer-substring-no-properties beg end)))))
    (flymake-diagnostics))))

(defun story-go-to (place)
  "Go to the first PLACE, a piece of text."
  (goto-char (point-min))
  (let ((case-fold-search nil))
    (search-forward place))
  (goto-char (match-beginning 0)))

(defun story-diagnose ()
  "Wait for the first diagnostics."
  (flymake-start)
  (story-wait "the first diagnostics" #'flymake-diagnostics)
  (story-tell 'diagnostics (story-shown)))

(defun story-fix ()
  "Apply a quick fix."
  (let (offered)
    (story-go-to (alist-get 'fix_at story-play))
    (cl-letf (((symbol-function 'completing-read)
               (lambda (_prompt items &rest _)
                 (setq offered (mapcar #'car items))
                 (story-tell 'offered (vconcat offered))
                 (let ((title (alist-get 'fix_title story-play)))
                   (or (cl-find-if (lambda (it) (string-prefix-p title it)) offered)
                       (error "No code action is called: %s" title)))))
              ;; Called by key, not by mouse: no menu pops up.
              (last-nonmenu-event ?a))
      (eglot-code-actions (point) (point) nil t))
    (story-tell 'fixed (story-text))
    ;; Changes are sent when Emacs is idle, which it never is here, or when a file is saved.
    (save-buffer)
    (story-wait "the diagnostics to go" (lambda () (null (flymake-diagnostics))))
    (story-tell 'diagnostics_fixed (story-shown))))

(defun story-rename ()
  "Rename an id."
  (story-go-to (alist-get 'rename_at story-play))
  (eglot-rename (alist-get 'rename_to story-play))
  (story-tell 'renamed (story-text))
  (save-buffer))

(defun story-view ()
  "Show what the model sees."
  (msgls-view)
  (let ((view (buffer-local-value 'msgls--view (current-buffer))))
    (story-wait "the view" (lambda ()
                             (with-current-buffer view
                               (string-match-p "Will it rain" (buffer-string)))))
    (story-go-to "Will it")
    (insert "Really: ")
    ;; Emacs is never idle in a batch.
    (msgls--refresh-view (current-buffer))
    (story-wait "what is typed" (lambda ()
                                  (with-current-buffer view
                                    (string-match-p "Really: Will" (buffer-string)))))
    (story-tell 'view (with-current-buffer view (buffer-string)))
    (delete-char -8)
    (kill-buffer view)
    (set-buffer-modified-p nil)))

(defun story-command ()
  "Run a command of the server."
  (story-go-to (alist-get 'rename_to story-play))
  (msgls-run (alist-get 'command_name story-play))
  (story-tell 'excluded (story-text))
  (set-buffer-modified-p nil))

(defun story-leave ()
  "Shut the server down."
  (let* ((server (eglot-current-server))
         (process (jsonrpc--process server)))
    ;; Fails where the server does not answer.  Its exit code would say nothing: it is killed
    ;; as soon as it was told to exit.
    (eglot-shutdown server nil 10)
    (story-wait "the server to leave" (lambda () (not (process-live-p process))))
    (story-tell 'left t)))

(defun story-play-it ()
  "Play the story."
  (setq make-backup-files nil
        auto-save-default nil
        create-lockfiles nil
        eglot-autoreconnect nil
        ;; On a busy machine a server needs its time.
        eglot-connect-timeout (alist-get 'patience_seconds story-play)
        jrpc-default-request-timeout (alist-get 'patience_seconds story-play)
        eglot-strict-mode '(enforce-required-keys)
        eglot-confirm-server-edits nil
        msgls-command (alist-get 'command story-play))
  (find-file (alist-get 'file story-play))
  (story-tell 'mode (symbol-name major-mode))
  (call-interactively #'eglot)
  (story-wait "the server" (lambda () (and (eglot-current-server) (eglot-managed-p))))
  (story-diagnose)
  (story-fix)
  (story-rename)
  (story-command)
  (story-view)
  (story-leave))

(prefer-coding-system 'utf-8-unix)
(unless (featurep 'eglot)
  (story-tell 'missing "eglot")
  (kill-emacs 0))
(require 'msgls)
(condition-case problem
    (story-play-it)
  (error
   (story-tell 'error (error-message-string problem))
   (kill-emacs 1)))

;;; emacs.el ends here
